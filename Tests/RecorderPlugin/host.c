// A program that loads a library that records, lets threads of its own use it, and unloads it, while
// the recording, its threads and the end of the program are still to come.
//
//     host LIBRARY TRACE

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void (*work)(int);
static pthread_barrier_t begun, unloaded;

static void *thread(void *unused) {
  work(100);
  pthread_barrier_wait(&begun);
  pthread_barrier_wait(&unloaded);
  return unused;
}

int main(int count, char **arguments) {
  if (count != 3) return 64;
  void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 65;
  }
  int (*start)(const char *) = (int (*)(const char *))dlsym(library, "plugin_start");
  work = (void (*)(int))dlsym(library, "plugin_work");
  if (start == NULL || work == NULL || start(arguments[2]) != 0) return 66;
  work(5000);
  pthread_barrier_init(&begun, NULL, 2);
  pthread_barrier_init(&unloaded, NULL, 2);
  pthread_t other;
  pthread_create(&other, NULL, thread, NULL);
  pthread_barrier_wait(&begun);
  dlclose(library);
  // The thread ends, a child is made and ends, the program ends: the library hears of each.
  pthread_barrier_wait(&unloaded);
  pthread_join(other, NULL);
  pid_t child = fork();
  if (child == 0) return 0;
  int status;
  waitpid(child, &status, 0);
  if (status != 0) return 67;
  // Loaded again it is still the same.
  library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  work = (void (*)(int))dlsym(library, "plugin_work");
  work(50);
  dlclose(library);
  return 5;
}
