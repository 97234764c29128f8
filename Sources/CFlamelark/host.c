#define _GNU_SOURCE
#include "CFlamelark.h"

#include <string.h>
#if defined(__linux__)
#include <link.h>
#endif
#if defined(__x86_64__)
#include <cpuid.h>
#endif

void fl_processor_name(char *name, size_t bytes) {
  if (bytes == 0) return;
  name[0] = 0;
#if defined(__x86_64__)
  unsigned words[12] = {0}, greatest = __get_cpuid_max(0x80000000, NULL);
  if (greatest < 0x80000004) return;
  for (unsigned part = 0; part < 3; part++) {
    unsigned *at = words + part * 4;
    __get_cpuid(0x80000002 + part, at, at + 1, at + 2, at + 3);
  }
  size_t length = strnlen((const char *)words, sizeof words);
  if (length >= bytes) length = bytes - 1;
  memcpy(name, words, length);
  name[length] = 0;
#endif
}

#if defined(__linux__)

// Whether the program may read these bytes of an object, by what the object says of itself.
static bool is_readable(const struct dl_phdr_info *info, uint64_t from, uint64_t bytes) {
  for (unsigned index = 0; index < info->dlpi_phnum; index++) {
    const ElfW(Phdr) *part = info->dlpi_phdr + index;
    if (part->p_type == PT_LOAD && part->p_flags & PF_R && from >= part->p_vaddr &&
        bytes <= part->p_filesz && from - part->p_vaddr <= part->p_filesz - bytes)
      return true;
  }
  return false;
}

static size_t aligned(size_t bytes, size_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

static void find_build_id(const uint8_t *notes, size_t bytes, size_t alignment, fl_module *module) {
  while (bytes >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    memcpy(&note, notes, sizeof note);
    size_t start = aligned(sizeof note + (size_t)note.n_namesz, alignment);
    size_t next = aligned(start + note.n_descsz, alignment);
    if (start + note.n_descsz > bytes) return;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
        memcmp(notes + sizeof note, "GNU", 4) == 0 && note.n_descsz <= sizeof module->build_id) {
      module->build_id_bytes = note.n_descsz;
      memcpy(module->build_id, notes + start, note.n_descsz);
      return;
    }
    if (next >= bytes) return;
    notes += next;
    bytes -= next;
  }
}

typedef struct module_list {
  fl_module *modules;
  size_t capacity;
  size_t count;
} module_list;

static int add_module(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  module_list *list = context;
  if (list->count++ >= list->capacity) return 0;
  fl_module *module = list->modules + list->count - 1;
  module->base = info->dlpi_addr;
  module->bytes = 0;
  module->build_id_bytes = 0;
  const char *path = info->dlpi_name == NULL ? "" : info->dlpi_name;
  size_t length = strnlen(path, sizeof module->path - 1);
  memcpy(module->path, path, length);
  module->path[length] = 0;
  for (unsigned index = 0; index < info->dlpi_phnum; index++) {
    const ElfW(Phdr) *part = info->dlpi_phdr + index;
    if (part->p_type == PT_LOAD && part->p_vaddr + part->p_memsz > module->bytes)
      module->bytes = part->p_vaddr + part->p_memsz;
    if (part->p_type == PT_NOTE && module->build_id_bytes == 0 &&
        is_readable(info, part->p_vaddr, part->p_memsz))
      find_build_id(
          (const uint8_t *)(info->dlpi_addr + part->p_vaddr), part->p_memsz,
          part->p_align == 8 ? 8 : 4, module);
  }
  return 0;
}

size_t fl_list_modules(fl_module *modules, size_t capacity) {
  module_list list = {modules, capacity, 0};
  dl_iterate_phdr(add_module, &list);
  return list.count;
}

static int take_load_count(struct dl_phdr_info *info, size_t size, void *context) {
  if (size >= offsetof(struct dl_phdr_info, dlpi_adds) + sizeof info->dlpi_adds)
    *(uint64_t *)context = info->dlpi_adds;
  return 1;
}

uint64_t fl_module_load_count(void) {
  uint64_t count = 0;
  dl_iterate_phdr(take_load_count, &count);
  return count;
}

#else

size_t fl_list_modules(fl_module *modules, size_t capacity) { return 0; }

uint64_t fl_module_load_count(void) { return 0; }

#endif
