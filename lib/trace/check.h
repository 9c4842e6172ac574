/* check: validates one element of a trace against the preceding ones. NULL when valid. */
#ifndef DUCT_TRACE_CHECK_H
#define DUCT_TRACE_CHECK_H

#include "lib/trace/trace.h"

const char *trace_check_meet(const struct trace *t, const struct trace_meet *m);
const char *trace_check_var(const struct trace_var *v);
const char *trace_check_node(const struct trace *t, size_t i);
const char *trace_check_event(const struct trace *t, const struct channel_event *e);
const char *trace_check_pair(const struct trace *t, const struct channel_pair *p);
const char *trace_check_address(const struct trace *t, const struct channel_address *a);

#endif
