// Prompt and description texts are imported as strings: `import text from "./read.md" with { type: "text" }`.
declare module "*.md" {
  const text: string;
  export default text;
}
