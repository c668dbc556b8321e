/*
 * The HPACK of nghttp2, measured beside ours. Built by native.ts, or by hand:
 *
 *   cc -O2 -o nghttp2-hpack bench/hpack/nghttp2.c -lnghttp2        (Debian: apt-get install gcc libnghttp2-dev)
 *
 * The argument is a file of stories, written by native.ts; numbers are 32 bits, little-endian:
 *
 *   stories, then for each: lists, then for each list: fields, then for each field: length and octets of name and of value;
 *   then for each list the block of our encoder: length and octets.
 *
 * Each line on stdin is a command, answered by one line on stdout:
 *
 *   encode N    all stories N times, with a new encoder for each: "fields microseconds octets"
 *   decode N    the same with their blocks: "fields microseconds octets", octets of names and values
 *   blocks      the blocks of this encoder in hexadecimal, one per line, then an empty line
 *
 * Microseconds are CPU time.
 */
#include <nghttp2/nghttp2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct { nghttp2_nv *fields; size_t count; uint8_t *block; size_t block_length; } list;
typedef struct { list *lists; size_t count; } story;

static story *stories;
static size_t story_count;
static uint8_t out[1 << 20];

static void fail(const char *why) {
  fprintf(stderr, "nghttp2-hpack: %s\n", why);
  exit(2);
}

static void *room(size_t size) {
  void *memory = malloc(size ? size : 1);
  if (!memory) fail("out of memory");
  return memory;
}

static uint32_t number(FILE *in) {
  uint8_t o[4];
  if (fread(o, 1, 4, in) != 4) fail("the file of stories is cut off");
  return o[0] | o[1] << 8 | o[2] << 16 | (uint32_t)o[3] << 24;
}

static uint8_t *octets(FILE *in, size_t *length) {
  *length = number(in);
  uint8_t *value = room(*length);
  if (fread(value, 1, *length, in) != *length) fail("the file of stories is cut off");
  return value;
}

static void load(const char *path) {
  FILE *in = fopen(path, "rb");
  if (!in) fail("the file of stories cannot be opened");
  story_count = number(in);
  stories = room(story_count * sizeof *stories);
  for (size_t s = 0; s < story_count; s++) {
    story *told = &stories[s];
    told->count = number(in);
    told->lists = room(told->count * sizeof *told->lists);
    for (size_t i = 0; i < told->count; i++) {
      list *l = &told->lists[i];
      l->count = number(in);
      l->fields = room(l->count * sizeof *l->fields);
      for (size_t f = 0; f < l->count; f++) {
        nghttp2_nv *nv = &l->fields[f];
        nv->name = octets(in, &nv->namelen);
        nv->value = octets(in, &nv->valuelen);
        nv->flags = NGHTTP2_NV_FLAG_NONE;
      }
    }
    for (size_t i = 0; i < told->count; i++) told->lists[i].block = octets(in, &told->lists[i].block_length);
  }
  fclose(in);
}

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * 1000000LL + t.tv_nsec / 1000;
}

/* All stories once; prints the blocks where asked. */
static void encode(long long *fields, long long *size, int print) {
  for (size_t s = 0; s < story_count; s++) {
    nghttp2_hd_deflater *deflater;
    if (nghttp2_hd_deflate_new(&deflater, 4096) != 0) fail("no encoder");
    for (size_t i = 0; i < stories[s].count; i++) {
      list *l = &stories[s].lists[i];
      ssize_t length = nghttp2_hd_deflate_hd(deflater, out, sizeof out, l->fields, l->count);
      if (length < 0) fail("a list was not encoded");
      *fields += l->count;
      *size += length;
      if (!print) continue;
      for (ssize_t at = 0; at < length; at++) printf("%02x", out[at]);
      printf("\n");
    }
    nghttp2_hd_deflate_del(deflater);
  }
}

static void decode(long long *fields, long long *size) {
  for (size_t s = 0; s < story_count; s++) {
    nghttp2_hd_inflater *inflater;
    if (nghttp2_hd_inflate_new(&inflater) != 0) fail("no decoder");
    for (size_t i = 0; i < stories[s].count; i++) {
      const uint8_t *at = stories[s].lists[i].block;
      size_t left = stories[s].lists[i].block_length;
      for (;;) {
        nghttp2_nv nv;
        int flags = 0;
        ssize_t used = nghttp2_hd_inflate_hd2(inflater, &nv, &flags, at, left, 1);
        if (used < 0) fail("a block was refused");
        at += used;
        left -= used;
        if (flags & NGHTTP2_HD_INFLATE_EMIT) {
          *fields += 1;
          *size += nv.namelen + nv.valuelen;
        }
        if (flags & NGHTTP2_HD_INFLATE_FINAL) break;
      }
      nghttp2_hd_inflate_end_headers(inflater);
    }
    nghttp2_hd_inflate_del(inflater);
  }
}

int main(int count, char **arguments) {
  if (count != 2) fail("wants one argument: a file of stories");
  load(arguments[1]);
  printf("nghttp2 %s\n", nghttp2_version(0)->version_str);
  fflush(stdout);
  char line[64];
  while (fgets(line, sizeof line, stdin)) {
    long long fields = 0, size = 0;
    int rounds = strlen(line) > 7 ? atoi(line + 7) : 1;
    if (strncmp(line, "blocks", 6) == 0) {
      encode(&fields, &size, 1);
      printf("\n");
    } else {
      int decoding = strncmp(line, "decode", 6) == 0;
      long long begun = now();
      for (int i = 0; i < rounds; i++) {
        if (decoding) decode(&fields, &size);
        else encode(&fields, &size, 0);
      }
      printf("%lld %lld %lld\n", fields, now() - begun, size);
    }
    fflush(stdout);
  }
  return 0;
}
