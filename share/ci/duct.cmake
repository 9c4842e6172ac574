# duct for CMake.
#   duct_add_tests(TARGET FUNCTION...)   adds the test duct-TARGET: tests of these functions, or of each function without
#                                        any, of the sources of TARGET; they are searched for, built and run.
# CMAKE_EXPORT_COMPILE_COMMANDS is set: duct reads each file's flags from there.
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(DUCT_TIME 60 CACHE STRING "seconds for the tests of a target")
find_program(DUCT duct REQUIRED)
enable_testing()

function(duct_add_tests target)
	get_target_property(sources ${target} SOURCES)
	get_target_property(folder ${target} SOURCE_DIR)
	set(words)
	foreach(source IN LISTS sources)
		if(source MATCHES "\\.c$")
			get_filename_component(path ${source} ABSOLUTE BASE_DIR ${folder})
			list(APPEND words ${path})
		endif()
	endforeach()
	list(GET words 0 first)
	if(ARGN)
		foreach(name IN LISTS ARGN)
			list(APPEND words ${first}:${name})
		endforeach()
	endif()
	set(out ${CMAKE_CURRENT_BINARY_DIR}/duct-${target})
	add_test(NAME duct-${target} COMMAND ${DUCT} test -p ${CMAKE_BINARY_DIR} --time ${DUCT_TIME} --out ${out}
		--fail-on finding --quiet ${words})
	add_test(NAME duct-${target}-check COMMAND make -s -C ${out} check)
	set_tests_properties(duct-${target} PROPERTIES TIMEOUT 3600)
	set_tests_properties(duct-${target}-check PROPERTIES DEPENDS duct-${target})
endfunction()
