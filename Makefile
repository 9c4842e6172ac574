# duct: one GNU Makefile, no configure.
#   make            build into $(BUILD)
#   make demo       set up, build, run the main job on a real C library
#   make check      set up, build, run every test; T=WORD: those whose name contains it
#   make bench      benchmarks: about an hour, with LONG=1 many; in as many sittings as you like (tests/bench/run says more)
#   make asan       the tests with sanitizers
#   make fuzz       fuzzes each reader, the Lua API and command lines for FUZZ_TIME seconds (60; LONG=1: an hour or ten minutes,
#                   in several runs if need be: tests/fuzz/run says more)
#   make deb        a Debian package
#   make install    below PREFIX (/usr/local), put into DESTDIR; make uninstall takes all of it away
# DEPS=no keeps `demo` and `check` from installing packages.

BUILD   ?= build
# Dependency files name their targets as make was told to: an absolute BUILD in this folder becomes the relative one.
override BUILD := $(patsubst $(CURDIR)/%,%,$(BUILD))
CC       = gcc
# Clang instantiates what its precompiled headers use once, not in each file: a third of g++'s time.
CXX      = clang++-19
OPT     ?= -O2
# Lines, for stack traces; the types of variables, for a debugger (make DEBUG=-g), would take a seventh of the time.
DEBUG   ?= -g1
CXXOPT  ?= -O1
WARN     = -Wall -Wextra -Wshadow $(if $(CI),-Werror)
LLVM     = llvm-config-19

VERSION  = 0.2
CPPFLAGS = -I. -D_GNU_SOURCE -DDUCT_VERSION='"$(VERSION)"' -MMD -MP
CFLAGS   = -std=c11 $(DEBUG) $(OPT) $(WARN) -Wstrict-prototypes -Wmissing-prototypes $(SAN)
# -g0 -O1: the LLVM headers make anything more cost minutes of build time. LLVM has no exceptions, and its
# templates need no code for them. libstdc++'s stable_sort calls what it deprecates.
CXXFLAGS = -std=c++17 -g0 $(CXXOPT) $(filter-out -Wshadow,$(WARN)) -Wno-unused-parameter -Wno-deprecated-declarations -fno-rtti -fno-exceptions $(SAN) -isystem $(shell $(LLVM) --includedir 2>/dev/null)
LDFLAGS  = $(SAN) -Wl,--as-needed
# The libraries that each start uses are linked in, but in packages: finding their symbols would take two milliseconds.
# Modules of Lua in C find Lua's functions in the program.
LIBS     = -static-libgcc $(if $(filter yes,$(PIE)),-lnettle -lsqlite3 -llua5.4,-Wl,-Bstatic -lnettle -lsqlite3 -llua5.4 -Wl,-Bdynamic \
	-Wl,--export-dynamic-symbol=lua_* -Wl,--export-dynamic-symbol=luaL_*) -lz3 -lcadical -Wl,-Bstatic -lstdc++ -Wl,-Bdynamic -lm -ldl -lpthread
# Clang and LLVM linked in, by LLVM's own linker: their shared libraries would take 20 ms at each start, a third of
# what a small file takes to compile. Position-independent only for packages, as distributions want it: relocation takes
# 6 ms at each start.
PIE      = no
PIEFLAGS = $(if $(filter yes,$(PIE)),-pie -Wl$(comma)-z$(comma)pack-relative-relocs,-no-pie)
comma    = ,
LLVMDIR  = $(shell $(LLVM) --libdir 2>/dev/null)
LLVMLIBS = -static-libstdc++ -static-libgcc -B$(LLVMDIR)/../bin -fuse-ld=lld $(PIEFLAGS) -Wl,--gc-sections -Wl,-s $(wildcard $(LLVMDIR)/libclang*.a $(LLVMDIR)/libLLVM*.a) -l:libz.so.1 -l:libzstd.so.1 -lm
CPPFLAGS += -isystem /usr/include/lua5.4

LIBEXEC  = $(BUILD)/libexec/duct

# lib/runtime, with the table of lib/clib, runs inside the program under test and lib/front is C++: both are built apart.
LIB_C    = $(filter-out lib/runtime/%,$(wildcard lib/*/*.c))
RT_C     = $(wildcard lib/runtime/*.c)
CLIB_C   = $(wildcard lib/clib/*.c)
FRONT_CC = $(wildcard lib/front/*.cc)
MODEL_C  = $(wildcard share/libc/*.c)
TOOLS_C  = $(basename $(notdir $(wildcard tools/*.c)))
TOOLS_CC = $(basename $(notdir $(wildcard tools/*.cc)))
UNIT_C   = $(wildcard tests/unit/*.c)

LIB_O    = $(LIB_C:%.c=$(BUILD)/%.o)
RT_O     = $(RT_C:%.c=$(BUILD)/%.o) $(CLIB_C:%.c=$(BUILD)/rt/%.o)
# The files of lib/front are compiled in a few groups: one by one, each would spend most of its time on the same templates of
# Clang and LLVM. Many names are in both namespaces: the files that use Clang's are a group.
FRONT_clang = $(shell grep -l '^using namespace clang;' $(FRONT_CC))
FRONT_plain = $(shell grep -L '^using namespace' $(FRONT_CC))
FRONT_weave = $(wildcard lib/front/weave*.cc)
FRONT_plant = $(filter-out $(FRONT_clang) $(FRONT_weave),$(FRONT_plain) $(shell grep -l '"lib/front/weave.h"' $(FRONT_CC)))
FRONT_model = $(filter-out $(FRONT_clang) $(FRONT_weave) $(FRONT_plant),$(FRONT_CC))
FRONT_GROUPS = clang weave model plant
FRONT_O  = $(FRONT_GROUPS:%=$(BUILD)/lib/front/%.o)
MODEL_O  = $(MODEL_C:%.c=$(BUILD)/%.o)
FLOW_O   = $(MODEL_C:%.c=$(BUILD)/flows/%.o)
# Clang's first: their headers take longest, and what is woven waits for them.
PROGRAMS = $(TOOLS_CC:%=$(LIBEXEC)/%) $(TOOLS_C:%=$(LIBEXEC)/%)
LUA_C    = $(patsubst %.lua,$(BUILD)/lib/%.luac,$(wildcard lua/*/*.lua))
UNITS    = $(UNIT_C:%.c=$(BUILD)/%)

all: $(PROGRAMS) $(BUILD)/lib/libductrt.a $(BUILD)/lib/libductmodels.a $(BUILD)/lib/libductmodels-flows.a $(BUILD)/lib/library.o $(LUA_C) $(BUILD)/lib/empty.db

$(BUILD)/lib/libduct.a: $(LIB_O)
	@rm -f $@
	ar qcs $@ $^

# The runtime must not call library models or interposed functions of the program under
# test: its objects are joined and their memory functions renamed to its own; its code lies in a section of
# its own, so that a crash there is known as ours, and its variables, which the program must not write. Every
# link reads it: its debugging information would take a fifth of the time.
RT_TEXT  = $(foreach s,.text .text.unlikely .text.hot .text.startup,--rename-section $(s)=duct_runtime)
RT_DATA  = $(foreach s,.data .data.rel .data.rel.local,--rename-section $(s)=duct_state) --rename-section .bss=duct_zeros
# Functions of the runtime's own are not for programs to call: names that neither woven code nor duct.h uses are local.
# Unit tests get them all, in runtime.o.
RT_USERS = lib/protocol/abi.h lib/protocol/models.h $(wildcard share/*.[ch] share/libc/*.[ch] lib/front/*.cc lib/harness/*.c)
$(BUILD)/lib/libductrt.a: $(BUILD)/lib/runtime.o $(RT_USERS)
	grep -oh 'duct_[a-z0-9_]*' $(RT_USERS) | sort -u >$(BUILD)/lib/runtime.used
	nm $< | awk '$$2 ~ /[A-Z]/ && $$3 ~ /^duct_/ && $$3 !~ /^duct_rt_/ { print $$3 }' | sort -u | \
		comm -23 - $(BUILD)/lib/runtime.used >$(BUILD)/lib/runtime.local
	@mkdir -p $(BUILD)/lib/local
	objcopy --localize-symbols=$(BUILD)/lib/runtime.local $< $(BUILD)/lib/local/runtime.o
	@rm -f $@
	ar qcs $@ $(BUILD)/lib/local/runtime.o
$(BUILD)/lib/runtime.o: $(RT_O) lib/runtime/private.syms
	ld -r -o $(BUILD)/lib/runtime.o $(RT_O)
	objcopy --strip-debug --redefine-syms=lib/runtime/private.syms $(RT_TEXT) $(RT_DATA) $(BUILD)/lib/runtime.o

$(RT_O): override SAN =
# What is stripped needs no debugging information.
$(RT_O) $(BUILD)/share/library.o: override DEBUG = -g0
# GCC's default clears each small structure by a string instruction, which takes longer than all around it.
$(RT_O): CFLAGS += -fPIC -fno-builtin -fno-stack-protector -fno-strict-aliasing -mtune=skylake

# Linked into woven shared libraries.
$(BUILD)/lib/library.o: $(BUILD)/share/library.o
	@mkdir -p $(@D)
	objcopy --strip-debug $< $@
$(BUILD)/share/library.o: override SAN =
$(BUILD)/share/library.o: CFLAGS += -fPIC -fno-stack-protector

# A session would read the sources of its modules for as long as it takes to compile a small program.
$(BUILD)/lib/lua/%.luac: lua/%.lua
	@mkdir -p $(@D)
	luac5.4 -o $@ $<

# What new stores are copied from, in the mode of a store in memory: a byte for each of its reader and its writer says so.
$(BUILD)/lib/empty.db: share/schema.sql lib/store/db.h $(LIBEXEC)/duct
	@mkdir -p $(@D)
	@rm -f $@ $@.new
	@echo 'require("duct.core").store("$@.new", "write") os.exit(0)' >$(BUILD)/lib/empty.lua
	$(LIBEXEC)/duct $(abspath $(BUILD))/lib/empty.lua share/schema.sql
	printf '\001\001' | dd of=$@.new bs=1 seek=18 conv=notrunc 2>/dev/null
	mv $@.new $@

# Library models are C, woven by our own instrument.
$(BUILD)/lib/libductmodels.a: $(MODEL_O)
	@rm -f $@
	ar qcs $@ $^
$(BUILD)/lib/libductmodels-flows.a: $(FLOW_O)
	@rm -f $@
	ar qcs $@ $^
$(BUILD)/share/libc/%.o: share/libc/%.c $(LIBEXEC)/instrument $(wildcard share/libc/*.h) lib/protocol/abi.h lib/protocol/models.h
	@mkdir -p $(@D)
	$(LIBEXEC)/instrument --model -c -o $@ $< -- -I. -O1
$(BUILD)/flows/share/libc/%.o: share/libc/%.c $(LIBEXEC)/instrument $(wildcard share/libc/*.h) lib/protocol/abi.h lib/protocol/models.h
	@mkdir -p $(@D)
	$(LIBEXEC)/instrument --flows --model -c -o $@ $< -- -I. -O1 -DDUCT_FLOWS

$(TOOLS_C:%=$(LIBEXEC)/%): $(LIBEXEC)/%: $(BUILD)/tools/%.o $(BUILD)/lib/libduct.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) $(LIBS)
# The linker writes in small pieces, which lie scattered in the page cache; a copy is mapped faster, in each start.
# One that is the same as before is left as it is, and with it the library models that it wove.
$(TOOLS_CC:%=$(LIBEXEC)/%): $(LIBEXEC)/%: $(BUILD)/tools/%.linked
	@mkdir -p $(@D)
	@cmp -s $< $@ || cp $< $@
$(TOOLS_CC:%=$(BUILD)/tools/%.linked): $(BUILD)/tools/%.linked: $(BUILD)/tools/%.o $(FRONT_O) $(BUILD)/lib/libduct.a
	$(CXX) $(CXXFLAGS) -o $@ $^ $(LDFLAGS) $(LLVMLIBS)
$(filter $(BUILD)/tests/unit/runtime%,$(UNITS)): $(BUILD)/lib/runtime.o
$(UNITS): $(BUILD)/tests/unit/%: $(BUILD)/tests/unit/%.o $(BUILD)/lib/libduct.a
	$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) $(LIBS)

# Tests run once: not optimised, they compile in half the time.
$(UNITS:=.o): OPT = -O0
# Objects that were woven by another version do not link: lib/protocol/stamp.h.
STAMP    = duct_rt_object_of_another_version_compile_again_$(shell cat lib/protocol/*.h lib/front/* | cksum | cut -d' ' -f1)
STAMPED  = $(BUILD)/lib/protocol/stamp.o $(BUILD)/lib/runtime/stamp.o
$(STAMPED): CPPFLAGS += -DDUCT_STAMP='"$(STAMP)"'
$(STAMPED): $(wildcard lib/protocol/*.h lib/front/*)
# What reads and writes text, and waits for the store and for processes, gains nothing by more.
COLD     = report harness criteria goals help partition table limits checkers verdicts
$(filter $(COLD:%=$(BUILD)/lib/%/%),$(LIB_O)) $(TOOLS_C:%=$(BUILD)/tools/%.o): OPT = -O1
# The loops of an engine, which are to be vectorised.
$(BUILD)/lib/expr/batch.o: CFLAGS += -O3
$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<
$(BUILD)/rt/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<
# All headers of Clang and LLVM that the sources include, precompiled, again when the flags change. Not with ccache, which
# does not cache what is compiled with them.
ifeq ($(findstring ccache,$(CXX)),)
FRONT_H  = $(BUILD)/front.h
endif
FRONT_PCH = $(FRONT_H:%=%.$(if $(findstring clang,$(CXX)),pch,gch))
FRONT_SOURCES = $(FRONT_CC) $(wildcard lib/front/*.h tools/*.cc)
$(BUILD)/front.h: $(FRONT_SOURCES) Makefile
	@mkdir -p $(@D)
	@echo '// $(CXX) $(CXXFLAGS)' >$@.new
	@grep -ohE '^#include <(clang|llvm)/[^>]*>' $(FRONT_SOURCES) | LC_ALL=C sort -u >>$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
# A compiler refuses it when a header has changed since, which an upgraded package does without a newer time of its files.
# The list of headers itself is made by make's rule: a copy of the tree has a later change, and needs nothing anew.
$(shell sed 's/^[^:]*://; s/\\//g; s,[^ ]*/front\.h,,' $(FRONT_PCH:%=%.d) 2>/dev/null | xargs -r sh -c \
	'[ -z "$$(find "$$@" -maxdepth 0 -cnewer $(FRONT_PCH) -print -quit 2>&1)" ] || rm -f $(FRONT_PCH)' sh)
# It names its list of headers by an absolute path: in a copy of the tree, that of the original, which has to be the same.
$(shell from=$$(cat $(FRONT_PCH).from 2>/dev/null); [ -z "$$from" ] || cmp -s "$$from" $(FRONT_H) || rm -f $(FRONT_PCH))
$(BUILD)/front.h.gch: $(BUILD)/front.h
	$(CXX) $(CPPFLAGS:-MMD=-MD) -MF $@.d $(CXXFLAGS) -x c++-header -o $@ $<
$(BUILD)/front.h.pch: $(BUILD)/front.h
	$(CXX) $(CPPFLAGS:-MMD=-MD) -MF $@.d $(CXXFLAGS) -fpch-instantiate-templates -x c++-header -o $@ $<
	@echo '$(abspath $<)' >$@.from
$(FRONT_O) $(TOOLS_CC:%=$(BUILD)/tools/%.o): $(FRONT_PCH)
$(FRONT_GROUPS:%=$(BUILD)/lib/front/%.cc): lib/front $(FRONT_CC) Makefile
	@mkdir -p $(@D)
	@printf '#include "%s"\n' $(FRONT_$(basename $(@F))) >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
$(FRONT_O): $(BUILD)/%.o: $(BUILD)/%.cc
	$(CXX) $(CPPFLAGS) $(FRONT_H:%=-include %) $(CXXFLAGS) -c -o $@ $<
$(BUILD)/%.o: %.cc
	@mkdir -p $(@D)
	$(CXX) $(CPPFLAGS) $(FRONT_H:%=-include %) $(CXXFLAGS) -c -o $@ $<

deps:
	@DEPS=$(DEPS) tests/deps
demo: deps
	@$(MAKE) --no-print-directory -s -j$$(nproc) all
	@tests/demo
check: deps
	@$(MAKE) --no-print-directory -s -j$$(nproc) all units
	@BUILD=$(BUILD) SAN='$(SAN)' SLOWER='$(SLOWER)' tests/run $(T)
units: $(UNITS)
asan:
	@$(MAKE) --no-print-directory BUILD=build/asan SAN='-fsanitize=address,undefined -fno-sanitize-recover=undefined' OPT=-O1 SLOWER=4 check
# One libFuzzer program a reader; its parts of the library are compiled apart by clang.
FUZZ_C   = $(wildcard tests/fuzz/*.c)
FUZZERS  = $(FUZZ_C:tests/fuzz/%.c=$(BUILD)/fuzz/%)
FUZZ_O   = $(LIB_C:%.c=$(BUILD)/fuzz/%.o)
FUZZ_CC  = clang-19 -std=c11 -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined $(CPPFLAGS)
$(BUILD)/fuzz/lib/%.o: lib/%.c
	@mkdir -p $(@D)
	$(FUZZ_CC) -fsanitize=fuzzer-no-link -c -o $@ $<
$(BUILD)/fuzz/libduct.a: $(FUZZ_O)
	@rm -f $@
	ar qcs $@ $^
$(FUZZERS): $(BUILD)/fuzz/%: tests/fuzz/%.c $(BUILD)/fuzz/libduct.a
	$(FUZZ_CC) -fsanitize=fuzzer -o $@ $^ $(LIBS)
fuzzers: $(FUZZERS)
fuzz: deps
	@$(MAKE) --no-print-directory -s -j$$(nproc) all fuzzers
	@BUILD=$(BUILD) LONG=$(LONG) tests/fuzz/run
bench: deps
	@$(MAKE) --no-print-directory -s -j$$(nproc) all
	@BUILD=$(BUILD) tests/bench/run

PREFIX  ?= /usr/local
install: all
	@share/install "$(DESTDIR)$(PREFIX)" $(BUILD)
uninstall:
	@share/install --remove "$(DESTDIR)$(PREFIX)" $(BUILD)

# A Debian package, $(BUILD)/deb/duct_*.deb, from a copy of the tree.
deb: deps
	@rm -rf $(BUILD)/deb && mkdir -p $(BUILD)/deb/duct
	@cp -a bin tools lib lua share tests man Makefile README.md LICENSE CHANGELOG.md CONTRIBUTING.md SECURITY.md $(BUILD)/deb/duct/
	@mv $(BUILD)/deb/duct/share/debian $(BUILD)/deb/duct/debian
	@cd $(BUILD)/deb/duct && env -u MAKEFLAGS -u MAKELEVEL dpkg-buildpackage -b -us -uc -d -j$$(nproc)

clean:
	rm -rf build
.PHONY: all deps demo check units asan fuzzers fuzz bench install uninstall deb clean

-include $(LIB_O:.o=.d) $(FUZZ_O:.o=.d) $(RT_O:.o=.d) $(FRONT_O:.o=.d) $(TOOLS_C:%=$(BUILD)/tools/%.d) $(TOOLS_CC:%=$(BUILD)/tools/%.d) $(UNITS:=.d)
