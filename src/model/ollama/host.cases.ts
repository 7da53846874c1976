// Addresses in every form that the official command line accepts, and what is meant by them.

import { deepEqual, equal, throws } from "node:assert/strict";
import { AppError } from "../../base/errors.ts";
import type { Case } from "../../testing/cases.ts";
import { parseHost } from "./host.ts";

const URLS: readonly (readonly [text: string, url: string])[] = [
  ["", "http://127.0.0.1:11434"],
  ["   ", "http://127.0.0.1:11434"],
  ["1.2.3.4", "http://1.2.3.4:11434"],
  ["1.2.3.4:80", "http://1.2.3.4:80"],
  ["example.com", "http://example.com:11434"],
  ["example.com:1234", "http://example.com:1234"],
  ["example.com/", "http://example.com:11434"],
  ["example.com/ollama", "http://example.com:11434/ollama"],
  [":1234", "http://127.0.0.1:1234"],
  ["::1", "http://[::1]:11434"],
  ["[::1]", "http://[::1]:11434"],
  ["[::1]:1337", "http://[::1]:1337"],
  ["fe80::1", "http://[fe80::1]:11434"],
  ["http://h", "http://h:80"],
  ["https://h", "https://h:443"],
  ["HTTPS://h", "https://h:443"],
  ["http://h:8080/", "http://h:8080"],
  ["https://h/ollama", "https://h:443/ollama"],
  ["https://h/ollama/v2//", "https://h:443/ollama/v2"],
  ["https://h:8443/ollama?x=1#y", "https://h:8443/ollama"],
  ["http://:8080", "http://127.0.0.1:8080"],
  ["http://[::1]", "http://[::1]:80"],
  ['"1.2.3.4"', "http://1.2.3.4:11434"],
  ["'example.com:1'", "http://example.com:1"],
  [' " 1.2.3.4 " ', "http://1.2.3.4:11434"],
  ["1.2.3.4:66000", "http://1.2.3.4:11434"],
  ["1.2.3.4:-1", "http://1.2.3.4:11434"],
  ["1.2.3.4:x", "http://1.2.3.4:11434"],
  ["https://1.2.3.4:66000", "https://1.2.3.4:443"],
  ["ollama.com", "https://ollama.com:443"],
  ["https://ollama.com", "https://ollama.com:443"],
  ["0.0.0.0", "http://127.0.0.1:11434"],
  ["0.0.0.0:8080", "http://127.0.0.1:8080"],
  ["http://0.0.0.0", "http://127.0.0.1:80"],
  ["[::]", "http://[::1]:11434"],
  ["[::]:99", "http://[::1]:99"],
  ["::", "http://[::1]:11434"],
  ["localhost", "http://localhost:11434"],
  ["http://user:p%40ss@h:1/x", "http://h:1/x"],
];

const BAD = ["ftp://h", "unix:///run/ollama.sock", "http://a b", "http://[::1", "http://%zz"];

export const HOST_CASES: readonly Case[] = [
  ...URLS.map(([text, url]) => ({
    name: `parseHost() reads ${JSON.stringify(text)} as ${url}`,
    run: () => equal(parseHost(text).url, url),
  })),
  ...BAD.map((text) => ({
    name: `parseHost() refuses ${JSON.stringify(text)} and says where it stood`,
    run: () =>
      throws(
        () => parseHost(text, "--host", "usage"),
        (error: unknown) =>
          error instanceof AppError &&
          error.kind === "usage" &&
          error.message.startsWith(`--host: "${text}"`),
      ),
  })),
  {
    name: "parseHost() knows loopback in all its forms",
    run: () =>
      deepEqual(
        ["", "127.0.0.1", "127.8.8.8", "localhost", "a.localhost", "::1", "[::]", "0.0.0.0"].map(
          (text) => parseHost(text).loopback,
        ),
        [true, true, true, true, true, true, true, true],
      ),
  },
  {
    name: "parseHost() knows what is not loopback",
    run: () =>
      deepEqual(
        ["h", "127.0.0.1.example.com", "128.0.0.1", "ollama.com", "localhost.example.com"].map(
          (text) => parseHost(text).loopback,
        ),
        [false, false, false, false, false],
      ),
  },
  {
    name: "parseHost() turns a user and password into a header and keeps them out of the address",
    run: () =>
      deepEqual(parseHost("http://me:p%40ss@h:1"), {
        url: "http://h:1",
        loopback: false,
        cloud: false,
        basicAuthorization: `Basic ${btoa("me:p@ss")}`,
      }),
  },
  {
    name: "parseHost() takes a bare % in a password as it stands",
    run: () => equal(parseHost("http://me:100%@h:1").basicAuthorization, `Basic ${btoa("me:100%")}`),
  },
  {
    name: "parseHost() knows the cloud",
    run: () =>
      deepEqual(
        ["ollama.com", "h"].map((text) => parseHost(text).cloud),
        [true, false],
      ),
  },
];
