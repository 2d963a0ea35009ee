/* The header's versions, and the library's; `PROGRAM VERSION ABI` compares both. */
#include "sseam.h"

#include <stdio.h>
#include <string.h>

#define ENCODED(major, minor, patch) ((major) * 0x10000 + (minor) * 0x100 + (patch))

int main(int argc, char **argv) {
    char header[40], abi[20];
    uint32_t number = sseam_version_number();
    sprintf(header, "%d.%d.%d", SSEAM_VERSION_MAJOR, SSEAM_VERSION_MINOR, SSEAM_VERSION_PATCH);
    sprintf(abi, "%d", SSEAM_ABI_VERSION);
    if (argc != 3) return 2;
    if (strcmp(header, argv[1]) != 0 || strcmp(abi, argv[2]) != 0) return 3;
    if (strcmp(sseam_version_string(), argv[1]) != 0) return 4;
    if (number != SSEAM_VERSION_NUMBER) return 5;
    if (number != ENCODED(SSEAM_VERSION_MAJOR, SSEAM_VERSION_MINOR, SSEAM_VERSION_PATCH)) return 6;
    if (number >> 16 != SSEAM_VERSION_MAJOR || (number >> 8 & 255) != SSEAM_VERSION_MINOR) return 7;
    if (sseam_abi_version() != SSEAM_ABI_VERSION) return 8;
    printf("%s, interface %s\n", header, abi);
    return 0;
}
