// Shapes of secrets that services document for their own keys. Each has a mark that a text must hold before the whole
// expression is tried, so that text without secrets costs next to nothing.

export interface SecretShape {
  /** What stands in the text afterwards: `[redacted:<kind>]`. */
  readonly kind: string;
  /** Global. Where it has a group `secret`, only that part is replaced. */
  readonly pattern: RegExp;
  /** A text without this has no match. Compared with regard to case. */
  readonly mark: string;
}

/** A word of a token's alphabet does not go on before it. */
const FREE = "(?<![A-Za-z0-9_])";
const END = "(?![A-Za-z0-9_])";

function token(kind: string, mark: string, body: string): SecretShape {
  return { kind, mark, pattern: new RegExp(`${FREE}${body}${END}`, "g") };
}

export const SECRET_SHAPES: readonly SecretShape[] = [
  {
    kind: "private-key",
    mark: "PRIVATE KEY",
    // To the end of the text where the end mark is cut off.
    pattern:
      /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  },
  { kind: "age-key", mark: "AGE-SECRET-KEY-1", pattern: /AGE-SECRET-KEY-1[0-9A-Z]{50,}/g },
  token("jwt", "eyJ", "eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}"),
  token("aws-access-key", "A", "(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)[A-Z2-7]{16}"),
  token("github-token", "gh", "gh[pousr]_[A-Za-z0-9]{36,251}"),
  token("github-token", "github_pat_", "github_pat_[A-Za-z0-9_]{60,}"),
  token("gitlab-token", "gl", "gl(?:pat|dt|rt|soat|cbt|ptt|ft|imt|agent|oas)-[A-Za-z0-9_.-]{18,}"),
  token("anthropic-key", "sk-ant-", "sk-ant-[A-Za-z0-9_-]{20,}"),
  token("openai-key", "sk-", "sk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,}"),
  token("openrouter-key", "sk-or-", "sk-or-v1-[0-9a-f]{40,}"),
  token("slack-token", "xo", "xox[abeoprs]-[A-Za-z0-9-]{10,}"),
  token("slack-token", "xapp-", "xapp-\\d-[A-Z0-9]+-\\d+-[a-z0-9]+"),
  {
    kind: "slack-webhook",
    mark: "hooks.slack.com",
    pattern: /https:\/\/hooks\.slack\.com\/(?:services|workflows)\/[A-Za-z0-9/_-]{20,}/g,
  },
  {
    kind: "discord-webhook",
    mark: "/api/webhooks/",
    pattern: /https:\/\/(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks\/\d+\/[A-Za-z0-9_-]{40,}/g,
  },
  token("google-api-key", "AIza", "AIza[A-Za-z0-9_-]{35}"),
  token("google-oauth", "GOCSPX-", "GOCSPX-[A-Za-z0-9_-]{28}"),
  token("google-oauth", "ya29.", "ya29\\.[A-Za-z0-9_-]{20,}"),
  token("stripe-key", "k_", "(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}"),
  token("stripe-webhook-secret", "whsec_", "whsec_[A-Za-z0-9+/=]{24,}"),
  token("npm-token", "npm_", "npm_[A-Za-z0-9]{36}"),
  token("pypi-token", "pypi-", "pypi-AgEI[A-Za-z0-9_-]{50,}"),
  token("huggingface-token", "hf_", "hf_[A-Za-z0-9]{30,}"),
  token("sendgrid-key", "SG.", "SG\\.[A-Za-z0-9_-]{20,24}\\.[A-Za-z0-9_-]{39,50}"),
  token("twilio-key", "SK", "SK[0-9a-f]{32}"),
  token("mailgun-key", "key-", "key-[0-9a-f]{32}"),
  token("digitalocean-token", "do", "do[opr]_v1_[0-9a-f]{64}"),
  token("databricks-token", "dapi", "dapi[0-9a-f]{32}(?:-\\d)?"),
  token("shopify-token", "shp", "shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
  token("linear-key", "lin_api_", "lin_api_[A-Za-z0-9]{32,}"),
  token("notion-token", "ntn_", "ntn_[A-Za-z0-9]{40,}"),
  token("vault-token", "hvs.", "hvs\\.[A-Za-z0-9_-]{24,}"),
  token("groq-key", "gsk_", "gsk_[A-Za-z0-9]{40,}"),
  token("xai-key", "xai-", "xai-[A-Za-z0-9]{60,}"),
  token("telegram-token", ":AA", "\\d{8,10}:AA[A-Za-z0-9_-]{32,}"),
  token("docker-token", "dckr_pat_", "dckr_pat_[A-Za-z0-9_-]{20,}"),
  token("terraform-token", ".atlasv1.", "[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_-]{60,}"),
  token("new-relic-key", "NRAK-", "NRAK-[A-Z0-9]{27}"),
  token("age-recipient-secret", "PMAK-", "PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
  { kind: "azure-key", mark: "AccountKey=", pattern: /AccountKey=(?<secret>[A-Za-z0-9+/]{60,}={0,2})/g },
  { kind: "azure-sas", mark: "sig=", pattern: /[?&]sig=(?<secret>[A-Za-z0-9%]{30,})/g },
  {
    kind: "password",
    mark: "://",
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@'"`<>]{0,100}:(?<secret>[^\s/@'"`<>]{1,200})@(?=[\w[])/gi,
  },
  { kind: "bearer-token", mark: "earer ", pattern: /\b[Bb]earer (?<secret>[A-Za-z0-9_.~+/=-]{20,})/g },
  {
    kind: "basic-auth",
    mark: "asic ",
    pattern: /\b[Aa]uthorization:? ?["']?[Bb]asic (?<secret>[A-Za-z0-9+/=]{8,})/g,
  },
  {
    kind: "password",
    mark: "-u",
    pattern: /\bcurl\b[^\n]*?\s(?:-u|--user)[ =]?["']?[^\s:"']+:(?<secret>[^\s"']+)/g,
  },
];
