// A Slurm cluster of two nodes on this machine: the distribution's daemons, with a key, a socket,
// ports and folders of their own, so that no other cluster is touched.
#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "files/files.hpp"

namespace nibble::batch {

class Cluster {
 public:
  /// Why none can be made here; empty: one can.
  static std::string why_not() {
    if (geteuid() != 0) return "Slurm's daemons are started as root";
    for (const char* const tool : {"slurmctld", "slurmd", "sbatch", "munged"}) {
      if (std::system((std::string("command -v ") + tool + " >/dev/null 2>&1").c_str()) != 0) {
        return std::string(tool) + " is not installed";
      }
    }
    return "";
  }

  explicit Cluster(std::filesystem::path folder) : folder_(std::move(folder)) {
    namespace fs = std::filesystem;
    for (const char* const name : {"munge", "state", "log"}) {
      fs::create_directories(folder_ / name);
    }
    fs::permissions(folder_, fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec);
    fs::permissions(folder_ / "munge", fs::perms::owner_all | fs::perms::others_exec);
    port_ = 20000 + getpid() % 20000;
    run("head -c 128 /dev/urandom > " + in("munge/key") + "; chmod 400 " + in("munge/key"));
    run("munged --force --num-threads=1 --key-file=" + in("munge/key") +
        " --socket=" + in("munge/socket") + " --pid-file=" + in("munge/pid") +
        " --log-file=" + in("munge/log") + " --seed-file=" + in("munge/seed"));
    files::write_atomically(folder_ / "slurm.conf", configuration());
    setenv("SLURM_CONF", in("slurm.conf").c_str(), 1);
    start_controller();
    for (const int node : {1, 2}) start_node(node);
    is_up_ = wait_until("test \"$(sinfo -h -N -o %T | grep -c idle)\" = 2");
  }

  /// False where the daemons are installed and do not come up: in a container without a name, say.
  bool is_up() const { return is_up_; }

  ~Cluster() {
    run("scancel --user=root --full");
    for (const char* const name :
         {"slurmd-n1.pid", "slurmd-n2.pid", "slurmctld.pid", "munge/pid"}) {
      stop(name, SIGTERM);
    }
    wait_until("! pgrep -f [s]lurmstepd.*" + folder_.filename().string());
    unsetenv("SLURM_CONF");
  }
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  void start_controller() const { run("slurmctld -f " + in("slurm.conf")); }
  void start_node(int node) const {
    run("slurmd -f " + in("slurm.conf") + " -N n" + std::to_string(node));
  }
  /// What an administrator does when nodes were drained for a failed launch.
  static void resume_nodes() { run("scontrol update NodeName=n1,n2 State=RESUME"); }
  void kill_controller() const { stop("slurmctld.pid", SIGKILL); }
  void kill_node(int node) const { stop("slurmd-n" + std::to_string(node) + ".pid", SIGKILL); }

 private:
  std::string in(const char* name) const { return (folder_ / name).string(); }

  static void run(const std::string& command) {
    if (std::system((command + " >/dev/null 2>&1").c_str()) != 0) return;
  }

  /// Within half a minute.
  static bool wait_until(const std::string& condition) {
    for (int tries = 0; tries < 300; ++tries) {
      if (std::system(("{ " + condition + "; } >/dev/null 2>&1").c_str()) == 0) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return false;
  }

  void stop(const std::string& pid_file, int signal) const {
    std::ifstream file(folder_ / pid_file);
    pid_t pid = 0;
    if (file >> pid && pid > 1) kill(pid, signal);
  }

  std::string configuration() const {
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    const std::string host = std::string(name.data()).substr(0, std::string(name.data()).find('.'));
    std::string text =
        "ClusterName=nibble\nSlurmctldHost=" + host +
        "\nSlurmUser=root\nSlurmdUser=root\nAuthType=auth/munge\nAuthInfo=socket=" +
        in("munge/socket") + "\nCredType=cred/munge\nSlurmctldPort=" + std::to_string(port_) +
        "\nStateSaveLocation=" + in("state") + "\nSlurmdSpoolDir=" + in("spool-%n") +
        "\nSlurmctldPidFile=" + in("slurmctld.pid") + "\nSlurmdPidFile=" + in("slurmd-%n.pid") +
        "\nSlurmctldLogFile=" + in("log/slurmctld") + "\nSlurmdLogFile=" + in("log/slurmd-%n") +
        "\n# No cgroups, no database: what a container or a bare machine can do.\n"
        "ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n"
        "JobAcctGatherType=jobacct_gather/none\n"
        "AccountingStorageType=accounting_storage/none\nMpiDefault=none\n"
        "SwitchType=switch/none\nSelectType=select/cons_tres\n"
        "SelectTypeParameters=CR_Core\nSchedulerType=sched/backfill\n"
        "SchedulerParameters=sched_min_interval=100000,batch_sched_delay=1\n"
        "SlurmdTimeout=30\nKillWait=5\nReturnToService=2\nJobRequeue=1\n"
        "SlurmdParameters=config_overrides\n";
    for (const int node : {1, 2}) {
      text += "NodeName=n" + std::to_string(node) + " NodeHostname=" + host +
              " NodeAddr=127.0.0.1 Port=" + std::to_string(port_ + node) +
              " CPUs=1 RealMemory=1000\n";
    }
    return text + "PartitionName=lab Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP\n";
  }

  std::filesystem::path folder_;
  int port_ = 0;
  bool is_up_ = false;
};

}  // namespace nibble::batch
