/* What a parser takes: its state, and the smallest and the default event memory. */
#include "check.h"
#include "sseam.h"

int main(void) {
    sseam_options options;
    size_t state;
    sseam_options_init(&options);
    printf("a parser with default options %8lu bytes\n",
           (unsigned long)sseam_parser_size(&options));
    options.max_data = options.max_type = options.max_id = options.max_comment = 0;
    state = sseam_parser_size(&options);
    printf("of which state                %8lu bytes, aligned to %lu\n", (unsigned long)state,
           (unsigned long)sseam_parser_align());
    CHECK(state > 0 && state <= SSEAM_PARSER_STATE);
    options.max_data = 512;
    options.max_type = options.max_id = 64;
    CHECK(sseam_parser_size(&options) == state + 832);
    CHECK(sseam_parser_size(&options) <= SSEAM_PARSER_STORAGE(512, 64, 64, 0));
    return 0;
}
