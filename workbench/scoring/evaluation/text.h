/* Pieces of a file's bytes: compared, hashed, looked up, and read as UTF-8, numbers and grades; for lines.c alone. */

#include <float.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if FLT_EVAL_METHOD != 0
#error "doubles have more digits while they are calculated with, and would be rounded twice"
#endif

#define POOLED (INT16_MIN + 1)
#define LONGEST_NUMBER 64

typedef struct { const uint8_t *at; int64_t size; } Text;

static int same(Text a, Text b) { return a.size == b.size && memcmp(a.at, b.at, (size_t)a.size) == 0; }

static int compared(Text a, Text b) {
    size_t shorter = (size_t)(a.size < b.size ? a.size : b.size);
    int found = memcmp(a.at, b.at, shorter);
    return found ? found : (a.size > b.size) - (a.size < b.size);
}

static uint64_t mixed(uint64_t value) {
    value ^= value >> 32;
    value *= UINT64_C(0xd6e8feb86659fd93);
    value ^= value >> 32;
    value *= UINT64_C(0xd6e8feb86659fd93);
    return value ^ value >> 32;
}

static uint64_t hashed(Text text, uint64_t seed) {
    const uint8_t *at = text.at;
    int64_t left = text.size;
    uint64_t hash = seed ^ (uint64_t)left * UINT64_C(0x9e3779b97f4a7c15), word;
    for (; left >= 8; at += 8, left -= 8) {
        memcpy(&word, at, 8);
        hash = mixed(hash ^ word);
    }
    word = 0;
    if (left) memcpy(&word, at, (size_t)left);
    return mixed(hash ^ word);
}

/* A power of two that leaves at least half of the slots empty; all are. */
static uint32_t *slots(int64_t size, uint64_t *mask) {
    uint64_t room = 16;
    while (room < 2 * (uint64_t)size) room *= 2;
    *mask = room - 1;
    return calloc(room, sizeof(uint32_t));
}

/* Bytes and numbers */

static int is_utf8(const uint8_t *at, const uint8_t *end) {
    while (at < end) {
        uint64_t word;
        if (end - at >= 8 && (memcpy(&word, at, 8), !(word & UINT64_C(0x8080808080808080)))) {
            at += 8;
            continue;
        }
        uint8_t first = *at++;
        if (first < 0x80) continue;
        int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
        if (first < 0xc2 || first > 0xf4 || end - at < more) return 0;
        uint8_t second = *at;
        if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f)) return 0;
        if ((first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f)) return 0;
        if (first == 0xef && second == 0xbb && at[1] == 0xbf) return 0; /* a byte order mark inside the file */
        for (; more; more--)
            if ((*at++ & 0xc0) != 0x80) return 0;
    }
    return 1;
}

static int is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }

/* Short numbers are exact in one multiplication or division of doubles (Clinger); others are strtod's. */
static int number_of(Text text, double *value) {
    static const double TENS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const uint8_t *at = text.at, *end = at + text.size;
    int negative = *at == '-', digits = 0, significant = 0;
    int64_t power = 0, exponent = 0;
    uint64_t mantissa = 0;
    if (*at == '-' || *at == '+') at++;
    for (int fraction = 0; at < end; at++) {
        if (*at == '.' && !fraction) {
            fraction = 1;
            continue;
        }
        if (!is_digit(*at)) break;
        digits++;
        if (significant || *at != '0') significant++;
        if (significant <= 19) mantissa = mantissa * 10 + (uint64_t)(*at - '0');
        power -= fraction;
    }
    if (!digits) return 0;
    if (at < end) {
        if (*at != 'e' && *at != 'E') return 0;
        int below = ++at < end && *at == '-';
        if (at < end && (*at == '-' || *at == '+')) at++;
        if (at == end || end - at > 9) return 0;
        for (; at < end; at++) {
            if (!is_digit(*at)) return 0;
            exponent = exponent * 10 + (*at - '0');
        }
        power += below ? -exponent : exponent;
    }
    if (significant <= 19 && mantissa <= UINT64_C(1) << 53 && power >= -22 && power <= 22) {
        double found = power < 0 ? (double)mantissa / TENS[-power] : (double)mantissa * TENS[power];
        *value = negative ? -found : found;
        return 1;
    }
    char copy[LONGEST_NUMBER + 1], *behind;
    if (text.size > LONGEST_NUMBER) return 0;
    memcpy(copy, text.at, (size_t)text.size);
    copy[text.size] = 0;
    *value = strtod(copy, &behind);
    return behind == copy + text.size; /* not where the process has another decimal point */
}

static int grade_of(Text text, int16_t *grade, int64_t *highest) {
    const uint8_t *at = text.at, *end = at + text.size;
    int64_t value = 0, sign = *at == '-' ? -1 : 1;
    if (*at == '-') at++;
    if (at == end || end - at > 5) return 0;
    for (; at < end; at++) {
        if (!is_digit(*at)) return 0;
        value = value * 10 + (*at - '0');
    }
    value *= sign;
    if (value <= POOLED || value > INT16_MAX) return 0;
    if (value > *highest) *highest = value;
    *grade = (int16_t)value;
    return 1;
}
