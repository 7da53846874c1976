import { expect, test } from "bun:test";
import { redactSecrets } from "./redact.ts";

/** Made of parts, so that no scanner takes this file for a leak. */
const join = (...parts: readonly string[]) => parts.join("");
const LETTERS = "aB3dE5gH7jK9mN1pQ3sTu5Wx7Z";

const SECRETS: readonly (readonly [string, string, string])[] = [
  ["aws-access-key", join("AKIA", "QWERTYUIOP234567"), "aws-access-key"],
  ["github", join("ghp_", LETTERS, "0123456789"), "github-token"],
  ["gitlab", join("glpat-", LETTERS), "gitlab-token"],
  ["openai", join("sk-", "proj-", LETTERS, LETTERS), "openai-key"],
  ["anthropic", join("sk-", "ant-api03-", LETTERS, LETTERS), "anthropic-key"],
  ["slack", join("xoxb-", "123456789012-", LETTERS), "slack-token"],
  ["jwt", join("eyJ", "hbGciOiJIUzI1NiJ9", ".eyJ", "zdWIiOiIxMjM0In0", ".", LETTERS), "jwt"],
  ["npm", join("npm_", LETTERS, "0123456789"), "npm-token"],
  ["google", join("AIza", "SyA1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q"), "google-api-key"],
  ["stripe", join("sk_", "live_", LETTERS), "stripe-key"],
  ["sendgrid", join("SG.", "a1B2c3D4e5F6g7H8i9J0kA", ".", LETTERS, "0123456789abcdefg"), "sendgrid-key"],
  ["hugging face", join("hf_", LETTERS, "AbCdEfGh"), "huggingface-token"],
];

for (const [name, secret, kind] of SECRETS) {
  test(`redactSecrets() replaces a key of ${name} wherever it stands`, () => {
    expect(redactSecrets(`use ${secret} for it`)).toBe(`use [redacted:${kind}] for it`);
    expect(redactSecrets(`curl -H "X-Key:${secret}"`)).not.toContain(secret);
  });
}

test("redactSecrets() replaces a private key block whole, also one that is cut off", () => {
  const head = join("-----BEGIN ", "OPENSSH PRIVATE KEY-----");
  const body = "b3BlbnNzaC1rZXktdjEAAAA\nAAABG5vbmUAAAA";
  const end = join("-----END ", "OPENSSH PRIVATE KEY-----");
  expect(redactSecrets(`a\n${head}\n${body}\n${end}\nb`)).toBe("a\n[redacted:private-key]\nb");
  expect(redactSecrets(`a\n${head}\n${body}`)).toBe("a\n[redacted:private-key]");
});

test("redactSecrets() replaces the password of a URL and keeps the rest of it", () => {
  expect(redactSecrets("postgres://app:s3cr3t!@db.example.com:5432/app")).toBe(
    "postgres://app:[redacted:password]@db.example.com:5432/app",
  );
  expect(redactSecrets("redis://:hunter22@cache:6379")).toBe("redis://:[redacted:password]@cache:6379");
  expect(redactSecrets("https://example.com:8080/a@b")).toBe("https://example.com:8080/a@b");
});

test("redactSecrets() replaces what is random after a name that says secret", () => {
  const value = "9f8Kd02jLs8Qm4Zx7Pq1";
  for (const text of [
    `API_TOKEN=${value}`,
    `export DB_SECRET='${value}'`,
    `"clientSecret": "${value}"`,
    `api_key: ${value}`,
    `--token ${value}${value}`,
    `curl -d "{\\"apiKey\\": \\"${value}\\"}"`,
    `secret_key_base: ${value}`,
  ]) {
    expect(redactSecrets(text)).toContain("[redacted:secret]");
    expect(redactSecrets(text)).not.toContain(value);
  }
  expect(redactSecrets("PASSWORD=Tr0ub4dor&3")).toBe("PASSWORD=[redacted:password]");
  expect(redactSecrets("SMTP_PASS: 'a8Dk2!x9'")).toBe("SMTP_PASS: '[redacted:password]'");
  const aws = join("wJalrXUtnFEMI/", "K7MDENG/", "bPxRfiCYzxAMPLqKEY");
  expect(redactSecrets(`AWS_SECRET_ACCESS_KEY=${aws}`)).toBe("AWS_SECRET_ACCESS_KEY=[redacted:secret]");
  expect(redactSecrets("Authorization: Bearer abcdefghij0123456789XYZ")).toBe(
    "Authorization: Bearer [redacted:bearer-token]",
  );
  expect(redactSecrets(`curl -u admin:${value} https://x.example`)).toBe(
    "curl -u admin:[redacted:password] https://x.example",
  );
});

test("redactSecrets() leaves hashes, ids, names and placeholders alone", () => {
  for (const text of [
    "commit 4be19c2d0f8a6b3c1e5d7f9a0b2c4d6e8f0a1b2c",
    "git show 4be19c2",
    "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    "session 0195f1c2-7a3b-7c4d-8e5f-0a1b2c3d4e5f",
    "[1c862ff5]",
    "token = readToken()",
    "const apiKey = process.env.API_KEY;",
    "API_KEY=your_api_key_here",
    "SECRET=$SECRET_FROM_VAULT",
    "password: <password>",
    "the token count is 4000",
    "primaryKey: userId",
    "key: packages/core/src/index.ts",
    "AUTH_KEY=SIGNING_KEY_NAME",
    "tokens: 123456789012",
    "src/auth/token.ts",
    "token = src/lib/Token2Parser",
    "bypass: everything-else-2024",
    "monkey: bananas-are-yellow",
    "sk-learn is a library",
  ]) {
    expect(redactSecrets(text)).toBe(text);
  }
});

test("redactSecrets() does not change what it made", () => {
  for (const [, secret] of SECRETS) {
    const once = redactSecrets(`TOKEN=${secret}`);
    expect(redactSecrets(once)).toBe(once);
  }
});
