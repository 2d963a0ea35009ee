/* One program with our library and another Rust library. */
#include "sseam.h"

#include <stdio.h>

uint32_t neighbour(uint32_t number);

int main(void) {
    sseam_parser *parser;
    sseam_item item;
    size_t used;
    item.struct_size = sizeof item;
    if (sseam_parser_new(NULL, NULL, &parser) != SSEAM_OK) return 1;
    if (sseam_parser_feed(parser, "data: x\n\n", 9, &used, &item) != SSEAM_EVENT) return 2;
    sseam_parser_free(parser);
#if defined(WITH_STD)
    if (neighbour(12) != 14) return 3; /* the digits of 0 to 11 */
#else
    if (neighbour(3) != 12) return 3; /* 9 and 3 */
#endif
    puts("two Rust libraries in one program");
    return 0;
}
