/*
 * Where every field lies, on machines with pointers of 8 and of 4 bytes. Only
 * compiled: a change of a number here is a change of the binary interface.
 */
#include "sseam.h"

#define SIZE(type, lp64, ilp32) \
    _Static_assert(sizeof(type) == (sizeof(void *) == 8 ? (lp64) : (ilp32)), #type)
#define AT(type, field, lp64, ilp32)                                                \
    _Static_assert(offsetof(type, field) == (sizeof(void *) == 8 ? (lp64) : (ilp32)), \
                   #type "." #field)

_Static_assert(sizeof(sseam_status) == 4 && sizeof(sseam_limit) == 4, "codes");

SIZE(sseam_str, 16, 8);
AT(sseam_str, ptr, 0, 0);
AT(sseam_str, len, 8, 4);

SIZE(sseam_options, 80, 56);
AT(sseam_options, struct_size, 0, 0);
AT(sseam_options, max_line, 8, 4);
AT(sseam_options, max_data, 16, 8);
AT(sseam_options, max_type, 24, 12);
AT(sseam_options, max_id, 32, 16);
AT(sseam_options, max_comment, 40, 20);
AT(sseam_options, max_total_bytes, 48, 24);
AT(sseam_options, max_events, 56, 32);
AT(sseam_options, on_overflow, 64, 40);
AT(sseam_options, utf8, 68, 44);
AT(sseam_options, report, 72, 48);
AT(sseam_options, reserved, 76, 52);

SIZE(sseam_allocator, 40, 20);
AT(sseam_allocator, alloc, 8, 4);
AT(sseam_allocator, realloc, 16, 8);
AT(sseam_allocator, free, 24, 12);
AT(sseam_allocator, user, 32, 16);

SIZE(sseam_item, 112, 80);
AT(sseam_item, kind, 8, 4);
AT(sseam_item, flags, 12, 8);
AT(sseam_item, limit, 16, 12);
AT(sseam_item, type, 24, 16);
AT(sseam_item, data, 40, 24);
AT(sseam_item, last_event_id, 56, 32);
AT(sseam_item, offset, 72, 40);
AT(sseam_item, end, 80, 48);
AT(sseam_item, full_len, 88, 56);
AT(sseam_item, retry_ms, 96, 64);
AT(sseam_item, limit_max, 104, 72);

SIZE(sseam_end, 32, 24);
AT(sseam_end, held, 8, 4);
AT(sseam_end, offset, 16, 8);
AT(sseam_end, pending, 24, 16);
AT(sseam_end, reserved, 28, 20);

SIZE(sseam_stats, 64, 56);
AT(sseam_stats, memory, 8, 4);
AT(sseam_stats, bytes, 16, 8);
AT(sseam_stats, lines, 24, 16);
AT(sseam_stats, events, 32, 24);
AT(sseam_stats, comments, 40, 32);
AT(sseam_stats, ignored_lines, 48, 40);
AT(sseam_stats, skipped, 56, 48);

SIZE(sseam_error, 40, 32);
AT(sseam_error, status, 8, 4);
AT(sseam_error, limit, 12, 8);
AT(sseam_error, reserved, 16, 12);
AT(sseam_error, max, 24, 16);
AT(sseam_error, offset, 32, 24);

/* Answers: not stable before 1.0, and laid out alike by every compiler all the same. */
SIZE(sseam_marker, 40, 24);
AT(sseam_marker, path, 8, 8);
AT(sseam_marker, value, 24, 16);

SIZE(sseam_answer_options, 112, 80);
AT(sseam_answer_options, max_line, 8, 4);
AT(sseam_answer_options, max_data, 16, 8);
AT(sseam_answer_options, max_type, 24, 12);
AT(sseam_answer_options, max_id, 32, 16);
AT(sseam_answer_options, max_comment, 40, 20);
AT(sseam_answer_options, max_total_bytes, 48, 24);
AT(sseam_answer_options, max_events, 56, 32);
AT(sseam_answer_options, settle_ms, 64, 40);
AT(sseam_answer_options, on_overflow, 72, 48);
AT(sseam_answer_options, utf8, 76, 52);
AT(sseam_answer_options, dialect, 80, 56);
AT(sseam_answer_options, mode, 84, 60);
AT(sseam_answer_options, choice, 88, 64);
AT(sseam_answer_options, expected_choices, 92, 68);
AT(sseam_answer_options, markers, 96, 72);
AT(sseam_answer_options, marker_count, 104, 76);

SIZE(sseam_text, 72, 36);

SIZE(sseam_usage, 56, 56);
AT(sseam_usage, input, 8, 8);
AT(sseam_usage, total, 48, 48);

SIZE(sseam_signal, 240, 160);
AT(sseam_signal, kind, 8, 4);
AT(sseam_signal, flags, 12, 8);
AT(sseam_signal, key, 16, 12);
AT(sseam_signal, choice, 20, 16);
AT(sseam_signal, reason, 24, 20);
AT(sseam_signal, text, 32, 24);
AT(sseam_signal, code, 104, 60);
AT(sseam_signal, usage, 176, 96);
AT(sseam_signal, offset, 232, 152);

SIZE(sseam_outcome, 752, 744);
AT(sseam_outcome, kind, 8, 4);
AT(sseam_outcome, exit_code, 12, 8);
AT(sseam_outcome, reason, 16, 12);
AT(sseam_outcome, dialect, 20, 16);
AT(sseam_outcome, cause, 24, 20);
AT(sseam_outcome, flags, 28, 24);
AT(sseam_outcome, closed_calls, 32, 28);
AT(sseam_outcome, place_event, 48, 44);
AT(sseam_outcome, resubscribe, 52, 48);
AT(sseam_outcome, cursor_kind, 56, 52);
AT(sseam_outcome, foreign, 60, 56);
AT(sseam_outcome, cursor_len, 64, 60);
AT(sseam_outcome, message_len, 84, 80);
AT(sseam_outcome, place_offset, 96, 88);
AT(sseam_outcome, place_byte, 104, 96);
AT(sseam_outcome, cursor_number, 112, 104);
AT(sseam_outcome, usage, 120, 112);
AT(sseam_outcome, cursor, 176, 168);
AT(sseam_outcome, word, 248, 240);
AT(sseam_outcome, code, 296, 288);
AT(sseam_outcome, id, 344, 336);
AT(sseam_outcome, model, 416, 408);
AT(sseam_outcome, message, 488, 480);

SIZE(sseam_calls, 64, 32);

SIZE(sseam_call, 64, 36);
AT(sseam_call, key, 8, 4);
AT(sseam_call, id, 16, 12);
AT(sseam_call, name, 32, 20);
AT(sseam_call, arguments, 48, 28);

/* Waiting, likewise. */
SIZE(sseam_timeouts, 48, 40);
AT(sseam_timeouts, first_output_ms, 16, 8);
AT(sseam_timeouts, idle_ms, 24, 16);
AT(sseam_timeouts, progress_ms, 32, 24);
AT(sseam_timeouts, total_ms, 40, 32);

SIZE(sseam_delays, 40, 32);
AT(sseam_delays, attempts_max, 8, 4);
AT(sseam_delays, base_ms, 16, 8);
AT(sseam_delays, floor_ms, 24, 16);
AT(sseam_delays, ceiling_ms, 32, 24);

SIZE(sseam_liveness, 192, 192);
SIZE(sseam_backoff, 96, 96);

/* The codes, which never change their meaning. */
_Static_assert(SSEAM_OK == 0 && SSEAM_EVENT == 1 && SSEAM_COMMENT == 2 && SSEAM_RETRY == 3, "");
_Static_assert(SSEAM_STOPPED == 4 && SSEAM_SKIPPED == 5 && SSEAM_TRUNCATED == 6, "");
_Static_assert(SSEAM_IGNORED == 7 && SSEAM_ERR_ARGUMENT == -1 && SSEAM_ERR_MEMORY == -2, "");
_Static_assert(SSEAM_SIGNALS == 8 && SSEAM_CALL == 9, "");
_Static_assert(SSEAM_ERR_LINE_TOO_LONG == -3 && SSEAM_ERR_DATA_TOO_LONG == -4, "");
_Static_assert(SSEAM_ERR_TYPE_TOO_LONG == -5 && SSEAM_ERR_ID_TOO_LONG == -6, "");
_Static_assert(SSEAM_ERR_TOTAL == -7 && SSEAM_ERR_UTF8 == -8 && SSEAM_ERR_STATE == -9, "");
_Static_assert(SSEAM_ERR_VERSION == -10 && SSEAM_ERR_REENTRANT == -11, "");
_Static_assert(SSEAM_ERR_INTERNAL == -99, "");
