#include "tests/lifecycle/child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lifecycle {

Child::Child(const char* program, const std::vector<std::string>& arguments) {
  std::vector<char*> argv{const_cast<char*>(program)};
  for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  pid_ = fork();
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(ends[1], STDOUT_FILENO);
    execv(program, argv.data());
    _exit(127);
  }
  ::close(ends[1]);
  output_ = fdopen(ends[0], "r");
}

std::string Child::line() {
  std::string text;
  for (int c; (c = std::fgetc(output_)) != EOF && c != '\n';) text += static_cast<char>(c);
  return text;
}

int Child::end(int signal) {
  if (pid_ <= 0) return -1;
  ::kill(pid_, signal);
  int status = 0;
  pid_t gone = 0;
  for (int i = 0; i < 2000 && gone == 0; ++i) {
    gone = waitpid(pid_, &status, WNOHANG);
    if (gone == 0) usleep(10'000);
  }
  if (gone == 0) {
    ::kill(pid_, SIGKILL);
    waitpid(pid_, &status, 0);
    status = SIGKILL;
  }
  pid_ = -1;
  std::fclose(output_);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace lifecycle
