// Programs and words of the shell that start other programs: a list of programs cannot bound what they run.

/** Why the program is never accepted by name; `undefined` if it is no launcher. */
export function launcherReason(name: string): string | undefined {
  if (LAUNCHERS.has(name)) return `${name} starts other programs`;
  if (SHELL_WORDS.has(name)) return `${name} needs a shell to be judged`;
  if (DIRECTORY_WORDS.has(name))
    return `${name} changes what relative paths mean; a command may begin with cd <dir> &&, and each begins in the working directory`;
  return undefined;
}

/** Shells: to name one is to grant everything, which is for the caller to say; a denial of a program excludes them. */
export function isShell(name: string): boolean {
  return SHELLS.has(name);
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const SHELLS = words("sh bash dash ash zsh ksh mksh fish csh tcsh rbash pwsh powershell nu elvish xonsh");

const LAUNCHERS = words(`
  env xargs nohup setsid timeout gtimeout nice renice ionice chrt taskset stdbuf unbuffer time gtime hyperfine
  coreutils chronic ifne pee mispipe sem numactl runcon cpulimit xvfb-run caffeinate direnv envdir chpst setlock
  sudo doas su runuser sg newgrp pkexec machinectl run0 gosu su-exec tini dumb-init
  watch watchexec parallel script scriptreplay expect entr flock at batch crontab systemd-run systemctl dbus-run-session
  unshare nsenter chroot setpriv capsh firejail bwrap proot fakeroot faketime prlimit choom setarch linux32 linux64
  i386 x86_64 uname26 busybox toybox strace ltrace gdb lldb perf valgrind rr screen tmux dtach abduco
  ssh-agent gpg-agent socat ncat nc netcat sftp ftp lftp telnet logsave catchsegv daemonize start-stop-daemon runit sv s6-setsidgid
  ed ex vi vim nvim view rvim vimdiff nano pico emacs emacsclient joe mcedit less more most man info dc
  ld.so ld-linux.so.2 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-musl-x86_64.so.1 run-parts xdg-open open
`);

const SHELL_WORDS = words(`
  eval exec source . command builtin trap alias unalias export set unset enable hash declare typeset local readonly
  let read mapfile readarray shopt ulimit umask wait bg fg jobs disown suspend caller compgen complete
  if then else elif fi for while until do done case esac select function coproc in [[ ]] ((
`);

const DIRECTORY_WORDS = words("cd pushd popd dirs");
