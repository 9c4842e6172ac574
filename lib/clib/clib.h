/* clib: what the functions of the C library do: one table (table.c) from which each analysis takes
 * its column. Also part of the runtime, which calls no library function, and of the C++ front end:
 * constant C data and a lookup.
 *
 * args     An entry for each argument; the last one stands for all that follow. First what the
 *          function does with the memory that the argument points to:
 *            -  nothing, or it is no pointer
 *            d  a file descriptor
 *            r  reads    w  writes    b  both
 *            f  a stream, or another object of the library, that it changes
 *            g  one that it only asks
 *            x  frees it
 *            y  frees it and moves what it holds into the result
 *            k  keeps the pointer: reads or writes there now or later
 *            c  a function that it calls
 *            z  as many bytes as this argument says are new memory where the result is
 *          then how far, where that is known; digits are numbers of arguments, from 0 on:
 *            2     exactly as many bytes as argument 2 says
 *            .16   16 bytes
 *            S     a string with its end; S2: of at most argument 2 bytes
 *            D1    a string up to the first difference from that of argument 1; D12: at most
 *                  argument 2 bytes; E1 E12: likewise, but upper and lower case are the same
 *            M12   argument 2 bytes, of which those up to the first difference from argument 1
 *                  matter
 *            U1    a string up to the character of argument 1; V12: of argument 2 bytes without
 *                  regard to the end
 *            C1    a copy of the string of argument 1
 *            A1    a string to which that of argument 1 is appended; A12: at most argument 2 bytes
 *                  of it
 *            T     the text of a number
 *            W1    a string up to the first character that is in that of argument 1; Y1: that is
 *                  not
 *            Z1    a string as far as a search for that of argument 1 goes; K1: upper and lower
 *                  case are the same
 *            B2    as many bytes as the result says, if it is positive, but at most argument 2
 *            R12   as many as the result says, but at most argument 2, times argument 1
 *            L     a string, if the result is not NULL; L1: of at most argument 1 bytes
 *            N1    a string, if argument 1, a size, leaves room for it
 *            X12   as many bytes as argument 1 times argument 2
 *            F G   a format of printf, of scanf, which tells what happens to the arguments that
 *                  follow it; H I: to those in the va_list that follows it
 * points   Pointers that it makes:
 *            0-3   the result points into the object of that argument
 *            *     the result is a new block of the heap, for the caller to free
 *            x     the result points to memory of the library
 *            o     to one object of it, the same in each call, which a macro of the headers names:
 *                  __errno_location to errno
 *            c     pointers in argument 1 are copied to argument 0; with y: to the result
 *            C     pointers in argument 0 are copied to argument 1
 *            e     a place in the object of argument 0 is stored where argument 1 points
 *            +     a new block of the heap is stored where argument 0 points
 *            n     others are stored, or what it does goes further than one pointer
 * does       o  output, and nothing else that the program could see but the result
 *            O  likewise, and the result tells nothing of what was put out
 *            n  nothing that the program sees follows from its arguments but the result
 *            e  ends the run or the thread
 *            r  or not: it returns, too
 *            2  may return twice
 *            j  jumps to where such a call returned
 *            p  goes on in a new process, too
 *            P  runs another program
 *            l  loads or finds code
 *            t  code runs beside the caller
 *            h  so does a handler, whenever it is called
 *            s  sends or awaits signals
 *            b  gives a stream memory of the program to work in
 *            m  changes what memory is mapped
 *            F  duct --faults can make it fail, whether its result is used or not
 *            M  has a model in share/libc (a library model)
 *            f  the model there only lets it fail: else it is called as without one
 * asks     What of the environment its result, or what it writes, depends on: t time, p process and
 *          user, e environment, f files and descriptors, i standard input, r randomness, s system
 *          and host, u data bases of users, n network, w other processes and signals, y terminals,
 *          l catalogues, a addresses
 * state    Hidden state, which outlives the call; capital: changes it, small: reads it. A allocator
 *          and mappings, B a buffer that results lie in, C attributes of the process (directory,
 *          user, limits), D srand48, E environment, F files and descriptors, G syslog, H tables for
 *          searching, I catalogues, K strtok, L locale, M multibyte conversion, N network,
 *          O getopt, P positions in data bases, Q floating-point environment, R srand, S signals,
 *          T timers, U threads and their keys, V objects of interprocess communication,
 *          W signgam, X handlers at exit, Y terminals, Z time zone. Beside those: errno, which any
 *          may set.
 * gives    What is known of its result:
 *            b     a byte, or -1; p: argument 0 as a byte, or -1
 *            z     0 or -1; e: -1, or not negative; n: 0 to 2147483647
 *            a     argument 0 without its sign
 *            c     not 0 if argument 0 is a character of the class that its name says
 *            l u   argument 0 as a lower case letter, as an upper case letter
 *            s     the length of the string of argument 0
 *            <2    at most argument 2; -2: likewise, or -1
 *            =     how the strings of arguments 0 and 1 compare; =t: argument 2 bytes of them; =m:
 *                  so many bytes that may be 0
 *            f1    the length of text that is printed by the format of argument 1
 *            ^0    argument 0; ?0: that or NULL
 *            @0    a place in the object of argument 0, not before it; *0: likewise, or NULL; $:
 *                  likewise, where the string of argument 0 has the character of argument 1
 * fails    With this result nothing was written through arguments whose extent is a number:
 *            -  a negative one (an int, or the lower half of it)    <  that, or 0
 *            0  0, or NULL    +  any but 0
 *            ?  -1: then it is not known whether they were
 * locale   What of its answer depends on the locale: c the classes of characters above 127, and
 *          which letters belong together; d the decimal point; x more than that. Beside these, what
 *          formats (extents F to I) ask for.
 * also     The same holds of names with these endings: f  f l f32 f32x f64 f64x f128 (mathematics);
 *          6  64; u  _unlocked; l  _l. That of all names holds with __, __isoc99_ and __isoc23_ in
 *          front.
 *
 * A function that is not in the table may do anything. */
#ifndef DUCT_CLIB_H
#define DUCT_CLIB_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct clib {
	char name[38], args[16], points[4], does[7], asks[4], state[3], also[2], gives[3], fails[2],
	    locale[2];
};
/* An entry of args: extent 0: how far is not known; '#': a, the number of an argument, says how
 * many bytes; '.': a bytes; else the letter, with its digits, -1 where there is none. */
struct clib_arg {
	char access, extent;
	int16_t a, b;
};

/* At most how many bytes are accessed: `bytes` times the values of arguments a and b, -1: none.
 * bytes 0: no bound is known. */
struct clib_most {
	int16_t bytes, a, b;
	bool exact; /* always as many */
};

extern const struct clib clib_table[];
extern const uint32_t clib_rows;

/* NULL: not known. */
const struct clib *clib_find(const char *name);
/* How many arguments have entries of their own. */
unsigned clib_args(const struct clib *c);
/* The effects on argument i, from 0 on. */
struct clib_arg clib_arg(const struct clib *c, unsigned i);
struct clib_most clib_most(struct clib_arg e);
/* The effect of a call with this result on memory behind such arguments (column fails): it wrote,
 * wrote nothing, or may have written. */
enum clib_written { CLIB_WRITES, CLIB_NOTHING, CLIB_MAYBE };
enum clib_written clib_written(const struct clib *c, uint64_t result);
/* One of the letters is in its column `does`. */
bool clib_does(const struct clib *c, const char *letters);
/* It has an argument with one of these letters, or one of these extents. */
bool clib_has(const struct clib *c, const char *accesses);
bool clib_extends(const struct clib *c, const char *extents);
/* The object of the library that its result points to (points: o), as programs name it; the length
 * is *n. NULL: it has none. */
const char *clib_object(const struct clib *c, unsigned *n);
/* All that it does is in what its arguments point to, its result, output, or the end of the run: no
 * hidden state, nothing of the environment, no code that is called, started or loaded, no jump. */
bool clib_is_local(const struct clib *c);

#pragma GCC visibility pop

#endif
