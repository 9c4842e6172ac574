#!/usr/bin/env lua5.4
-- Memory at addresses that the source states, as registers of a device have one: what is there are inputs, and tests map
-- it on the untouched source. What a device changes by itself remains a limit.
package.path = os.getenv "ROOT" .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"

tap.spit("hal.h", [[
#include <stdint.h>
typedef struct { volatile uint32_t SR, DR; } port_t;
#define BASE 0x40000000UL
#define PORT1 ((port_t *)(BASE + 0x11000UL))
#define PORT2 ((port_t *)(BASE + 0x4400UL))
int ready(port_t *p);
]])
tap.spit("hal.c", [[
#include "hal.h"
int ready(port_t *p) { if (p == PORT1) return (p->SR >> 5) & 1; if (p->SR & 1) return 2; return 0; }
]])
tap.spit("app.c", [[
#include "hal.h"
#define STATUS (*(volatile uint32_t *)0x50000000u)
#define DATA (*(volatile uint8_t *)0x50000004u)
#define LOW (*(volatile uint8_t *)0x25)
static volatile uint16_t *const screen = (volatile uint16_t *)0xB8000;
static port_t *const port[2] = { PORT1, PORT2 };
int get(uint8_t *out) { int n = 0; while (!(STATUS & 0x20)) if (++n > 3) return -1; *out = DATA; return *out == 'A'; }
int row(int n) { int s = 0; for (int i = 0; i < n; i++) if (screen[i] == 'x') s++; return s > 2; }
int poll(unsigned i) { if (i > 1) return -1; switch (ready(port[i])) { case 1: return port[i]->DR == 'a'; case 2: return 20; } return 0; }
void wait(char c) { while (!(STATUS & 0x80)) ; DATA = c; }
int same(void) { return STATUS != STATUS ? 1 : 0; }
int low(void) { return LOW & 1 ? 1 : 0; }
]])
tap.spit("m.c", [[
#include "hal.h"
int main(void) { PORT1->DR = 8; if (PORT1->SR & 2) return 3; if (PORT2->SR == 7) return 2; return 0; }
]])

local function passes(folder)
	local status, out = tap.run(("make -s -C %s check CFLAGS=-w"):format(folder))
	return status and out:find(" passed, 0 failed", 1, true)
end

local _, told = tap.run "duct test app.c hal.c --time 30 -o all -- -w"
tap.ok(told:find("get .-branches 4/4") and told:find("row .-branches 4/4") and told:find("poll .-branches 9/9")
	and told:find("ready .-branches 4/4") and told:find("wait .-branches 2/2"), "what devices hold are inputs", told)
tap.ok(not told:find "findings" and told:find "needs of callers" and not told:find "precision lost", "an address of a device is no failure", told)
tap.ok(passes "all", "tests map the memory on the untouched source")
_, told = tap.run "duct dft app.c hal.c --entry same --prove --time 20 --quiet -- -w"
tap.ok(told:find("branches: 1 of 2 covered, 0 infeasible", 1, true)
	and told:find("limits: volatile memory is changed by nothing but the program here", 1, true),
	"that a device changes what it holds is a limit, and no proof takes it for excluded", told)
_, told = tap.run "duct dft app.c hal.c --entry low --prove --time 20 --quiet -- -w"
tap.ok(told:find("0 of 2 covered, 0 infeasible", 1, true) and told:find("failures: none", 1, true)
	and told:find("low: there is memory at 0x25 at app.c:", 1, true) and told:find("there is no memory at 0x25 here", 1, true),
	"where the machine has no memory, that is said", told)
local ports = {}
for i = 0, 79 do
	ports[i + 1] = ("if (n == %d) return *(volatile unsigned char *)%d;"):format(i, 0x20 + i)
end
tap.spit("ports.c", "int port(int n) { " .. table.concat(ports, "\n") .. " return 0; }\n")
_, told = tap.run "duct dft ports.c --entry port --time 30 --quiet"
tap.ok(told:find("branches: 80 of 160 covered, 0 infeasible", 1, true) and told:find("failures: none", 1, true)
	and told:find("there is memory at 0x27 at ports.c:8", 1, true) and told:find("... and 72 more", 1, true),
	"... of each of many, and what does not come to them is tested", told)
_, told = tap.run "duct dft m.c --time 20 --quiet --out main"
tap.ok(told:find("branches: 4 of 4 covered", 1, true) and passes "main", "main, too", told)
_, told = tap.run "duct plan app.c --entry row -- -w"
tap.ok(told:find("device_b8000: memory at 0xb8000: elements unsigned short", 1, true), "the plan tells them", told)
tap.done()
