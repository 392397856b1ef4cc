// The languages that are highlighted, each in a file of its own that is fetched when first needed.
import type { LanguageFn } from "highlight.js";

type Grammar = () => Promise<{ readonly default: LanguageFn }>;

export const GRAMMARS: Record<string, Grammar> = {
  bash: () => import("highlight.js/lib/languages/bash"),
  c: () => import("highlight.js/lib/languages/c"),
  cmake: () => import("highlight.js/lib/languages/cmake"),
  cpp: () => import("highlight.js/lib/languages/cpp"),
  csharp: () => import("highlight.js/lib/languages/csharp"),
  css: () => import("highlight.js/lib/languages/css"),
  dart: () => import("highlight.js/lib/languages/dart"),
  diff: () => import("highlight.js/lib/languages/diff"),
  dockerfile: () => import("highlight.js/lib/languages/dockerfile"),
  elixir: () => import("highlight.js/lib/languages/elixir"),
  erlang: () => import("highlight.js/lib/languages/erlang"),
  go: () => import("highlight.js/lib/languages/go"),
  graphql: () => import("highlight.js/lib/languages/graphql"),
  haskell: () => import("highlight.js/lib/languages/haskell"),
  http: () => import("highlight.js/lib/languages/http"),
  ini: () => import("highlight.js/lib/languages/ini"),
  java: () => import("highlight.js/lib/languages/java"),
  javascript: () => import("highlight.js/lib/languages/javascript"),
  json: () => import("highlight.js/lib/languages/json"),
  kotlin: () => import("highlight.js/lib/languages/kotlin"),
  lua: () => import("highlight.js/lib/languages/lua"),
  makefile: () => import("highlight.js/lib/languages/makefile"),
  markdown: () => import("highlight.js/lib/languages/markdown"),
  nginx: () => import("highlight.js/lib/languages/nginx"),
  nix: () => import("highlight.js/lib/languages/nix"),
  objectivec: () => import("highlight.js/lib/languages/objectivec"),
  perl: () => import("highlight.js/lib/languages/perl"),
  php: () => import("highlight.js/lib/languages/php"),
  powershell: () => import("highlight.js/lib/languages/powershell"),
  protobuf: () => import("highlight.js/lib/languages/protobuf"),
  python: () => import("highlight.js/lib/languages/python"),
  r: () => import("highlight.js/lib/languages/r"),
  ruby: () => import("highlight.js/lib/languages/ruby"),
  rust: () => import("highlight.js/lib/languages/rust"),
  scala: () => import("highlight.js/lib/languages/scala"),
  scss: () => import("highlight.js/lib/languages/scss"),
  shell: () => import("highlight.js/lib/languages/shell"),
  sql: () => import("highlight.js/lib/languages/sql"),
  swift: () => import("highlight.js/lib/languages/swift"),
  typescript: () => import("highlight.js/lib/languages/typescript"),
  xml: () => import("highlight.js/lib/languages/xml"),
  yaml: () => import("highlight.js/lib/languages/yaml"),
};

/** Other names of a language, and the endings of its files. */
const NAMES: Record<string, string> = {
  bash: "sh zsh ksh bats",
  c: "h",
  cpp: "c++ cc cxx hpp hh hxx ino cu",
  csharp: "cs c#",
  css: "pcss",
  diff: "patch",
  dockerfile: "docker containerfile",
  elixir: "ex exs",
  erlang: "erl hrl",
  go: "golang",
  graphql: "gql graphqls",
  haskell: "hs",
  ini: "toml cfg conf properties editorconfig gitconfig env",
  javascript: "js jsx mjs cjs node",
  json: "json5 jsonc jsonl ndjson webmanifest ipynb",
  kotlin: "kt kts",
  makefile: "make mk gnumakefile",
  markdown: "md mdx mkd",
  objectivec: "objc mm obj-c",
  perl: "pl pm",
  powershell: "ps1 psm1 pwsh ps",
  protobuf: "proto",
  python: "py pyi pyw py3 starlark bzl",
  ruby: "rb rake gemfile gemspec rakefile",
  rust: "rs",
  scala: "sbt sc",
  scss: "sass less",
  shell: "console shell-session sh-session terminal",
  sql: "psql postgres postgresql mysql sqlite plpgsql",
  typescript: "ts tsx mts cts",
  xml: "html htm xhtml svg vue svelte rss plist xsl",
  yaml: "yml",
};

const ALIASES = new Map(
  Object.entries(NAMES).flatMap(([language, names]) => names.split(" ").map((name) => [name, language] as const)),
);

/** The grammar's name for a language as people write it, or for a file by its name; undefined where there is none. */
export function grammarFor(language: string | undefined, filename?: string): string | undefined {
  const named = language?.trim().toLowerCase();
  const base = filename?.toLowerCase().split(/[\\/]/).at(-1) ?? "";
  const name = named || base.split(".").at(-1) || "";
  return Object.hasOwn(GRAMMARS, name) ? name : ALIASES.get(name);
}
