// Programs and words that tell what a command is for.

/** Programs that only show, cut or count what came through a pipe. */
export const FILTERS: ReadonlySet<string> = new Set(
  "tail head grep egrep rg cat tee less more sort uniq wc sed awk cut tr jq column fold nl strings xargs".split(
    " ",
  ),
);

/** Programs whose exit status 1 says "none found" or "they differ". */
export const SEARCHES: ReadonlySet<string> = new Set(
  "grep egrep fgrep rg ag ack diff cmp test [ [[ which type pgrep pkill kill find fd ls command whereis lsof hash".split(
    " ",
  ),
);

/** Programs that show what is there, and change nothing. */
export const LOOKERS: ReadonlySet<string> = new Set(
  "cd ls cat head tail grep egrep fgrep rg ag ack fd pwd echo printf wc which type tree file stat nl less more awk jq sort uniq cut tr column diff cmp date whoami uname du df ps true basename dirname realpath readlink".split(
    " ",
  ),
);

/** Programs that run another one. */
export const WRAPPERS: ReadonlySet<string> = new Set(
  "time timeout gtimeout nohup env sudo command exec npx bunx nice stdbuf uvx".split(" "),
);

/** Programs that check, build or publish. */
export const CHECK_PROGRAM =
  /^(?:pytest|jest|vitest|mocha|ava|tox|nox|mypy|ruff|flake8|pylint|black|eslint|biome|prettier|tsc|tsgo|rspec|rubocop|phpunit|phpstan|ctest|make|ninja|cmake|bazel|gradlew?|mvnw?|xcodebuild|playwright|cypress|terraform|ansible-playbook|gcc|g\+\+|clang|rustc|javac|swiftc)$/;

/** Words of a line that builds, or checks types. */
export const BUILD_WORD =
  /^(?:build|compile|typecheck|type-check|check|tsc|tsgo|vet|clippy|mypy|javac|rustc)(?:[:-][\w:-]+)?$/;

/** Words among the first arguments that say so: `npm test`, `cargo build`, `git push`, `bun run lint:ci`. */
export const CHECK_WORD =
  /^(?:tests?|checks?|lint|build|compile|typecheck|type-check|vet|clippy|fmt|format|ci|verify|validate|e2e|spec|bench|deploy|publish|release|migrate|commit|push|merge|rebase|pull|apply|pytest|jest|vitest|tsc|unittest)(?:[:-][\w:-]+)?$/;
