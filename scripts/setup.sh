# Sourced by scripts/agent and scripts/test: brings the packages of the lock file, Bun among them, once.
# Needs: node, npm. Sets ROOT and BUN. Speaks on stderr only.

say() { printf 'agent: %s\n' "$*" >&2; }

# The folder of the project, through symbolic links to the script.
project_root() {
  script=$1
  while [ -h "$script" ]; do
    link=$(readlink "$script")
    case $link in
      /*) script=$link ;;
      *) script=$(dirname "$script")/$link ;;
    esac
  done
  (cd "$(dirname "$script")/.." && pwd -P)
}

# One at a time, where the system can: two first runs must not install into one folder at once.
locked() {
  if command -v flock >/dev/null 2>&1; then
    (
      flock 9
      "$@"
    ) 9>"$ROOT/.setup.lock"
  else
    "$@"
  fi
}

# install_packages prod|all: production packages and Bun, or the tools of the gate too.
install_packages() {
  want="$1 $(cksum <"$ROOT/package-lock.json")"
  stamp=$ROOT/node_modules/.installed
  have=$(cat "$stamp" 2>/dev/null)
  [ "$have" = "$want" ] && return 0
  [ "$1" = prod ] && [ "$have" = "all ${want#prod }" ] && return 0
  command -v npm >/dev/null 2>&1 || {
    say "npm is missing: install Node.js with npm, then try again"
    return 69
  }
  say "installing packages (once)"
  omit=
  [ "$1" = prod ] && omit=--omit=dev
  (cd "$ROOT" && npm ci $omit --no-audit --no-fund --loglevel=error >&2) || {
    say "npm could not install the packages of package-lock.json"
    return 69
  }
  printf '%s\n' "$want" >"$stamp"
}

# npm may be told not to run install scripts; Bun's binary is then in its platform package all the same.
find_bun() {
  for candidate in "$ROOT"/node_modules/@oven/bun-*/bin/bun "$ROOT"/node_modules/.bin/bun; do
    if [ -x "$candidate" ] && "$candidate" --version >/dev/null 2>&1; then
      BUN=$candidate
      return 0
    fi
  done
  say "Bun does not run on this machine, though its package is installed"
  return 69
}

# Runs Bun in the project's folder: nothing of the current directory (bunfig.toml, .env, tsconfig.json) is read.
project_bun() {
  (cd "$ROOT" && exec "$BUN" --no-env-file --config="$ROOT/bunfig.toml" "$@")
}
