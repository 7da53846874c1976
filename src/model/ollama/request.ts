// A request in the server's words. What the npm package's types lack is added here and nowhere else.

import { Buffer } from "node:buffer";
import type { ChatRequest, Message as OllamaMessage, Tool as OllamaTool } from "ollama";
import type { AssistantMessage, ContentBlock, ModelMessage, ToolResultMessage } from "../messages.ts";
import { textOf, toolCallsOf } from "../messages.ts";
import type { ModelInfo, ModelRequest, ThinkingLevel, ToolSpec } from "../model.ts";
import { toServerSchema } from "./tool-schema.ts";

/** What the server takes and the types do not say. */
type SentMessage = OllamaMessage & {
  readonly tool_call_id?: string;
};

export type SentRequest = ChatRequest & {
  readonly stream: true;
  readonly messages: SentMessage[];
  /** `false`: refuse a prompt that is too long instead of cutting it (0.12.6). */
  readonly truncate: false;
  /** `false`: stop with `length` when the window is full instead of forgetting its beginning. */
  readonly shift: false;
  readonly options: { readonly num_ctx?: number; readonly num_predict: number };
};

export interface RequestSettings {
  readonly model: string;
  readonly info: ModelInfo;
  /** Left out of the request if undefined. */
  readonly numCtx: number | undefined;
  readonly keepAlive: string | number | undefined;
  /** The cloud does not take a schema for the answer. */
  readonly remote: boolean;
}

/** Without a limit the server goes on to ten times the window. */
const DEFAULT_MAX_TOKENS = 16_384;

/** The body of `/api/chat`. Tools, images and thinking are sent only to a model that takes them. */
export function buildRequest(request: ModelRequest, settings: RequestSettings): SentRequest {
  const { info, numCtx, keepAlive } = settings;
  const think = thinkValue(request.options.think, info.thinking);
  const format = settings.remote ? undefined : request.options.format;
  const half = numCtx === undefined ? DEFAULT_MAX_TOKENS : Math.ceil(numCtx / 2);
  return {
    model: settings.model,
    messages: buildMessages(request, info.vision),
    stream: true,
    truncate: false,
    shift: false,
    ...(info.tools && request.tools.length > 0 ? { tools: request.tools.map(buildTool) } : {}),
    ...(think === undefined ? {} : { think }),
    ...(format === undefined ? {} : { format }),
    ...(keepAlive === undefined ? {} : { keep_alive: keepAlive }),
    options: {
      ...(numCtx === undefined ? {} : { num_ctx: numCtx }),
      num_predict: request.options.maxTokens ?? half,
    },
  };
}

/** Unset is the model's default; a model that cannot think is not told about it, for it would refuse. */
function thinkValue(level: ThinkingLevel | undefined, able: boolean): ChatRequest["think"] {
  if (level === undefined || !able) return undefined;
  if (level === "off") return false;
  return level === "on" ? true : level;
}

function buildMessages(request: ModelRequest, vision: boolean): SentMessage[] {
  const system: SentMessage[] =
    request.systemPrompt === "" ? [] : [{ role: "system", content: request.systemPrompt }];
  return [...system, ...request.messages.map((message) => buildMessage(message, vision))];
}

function buildMessage(message: ModelMessage, vision: boolean): SentMessage {
  switch (message.role) {
    case "user":
      return { role: "user", ...buildContent(message.content, vision) };
    case "assistant":
      return buildAssistant(message);
    case "toolResult":
      return buildToolResult(message, vision);
  }
}

function buildAssistant(message: AssistantMessage): SentMessage {
  const thinking = message.content
    .flatMap((block) => (block.type === "thinking" ? [block.thinking] : []))
    .join("\n");
  const calls = toolCallsOf(message);
  return {
    role: "assistant",
    content: textOf(message.content),
    ...(thinking === "" ? {} : { thinking }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(buildCall) }),
  };
}

function buildCall(call: { readonly id: string; readonly name: string; readonly arguments: object }) {
  return { id: call.id, function: { name: call.name, arguments: { ...call.arguments } } };
}

function buildToolResult(message: ToolResultMessage, vision: boolean): SentMessage {
  return {
    role: "tool",
    tool_name: message.toolName,
    tool_call_id: message.toolCallId,
    ...buildContent(message.content, vision),
  };
}

/** Images go as bytes: a string would be taken for the name of a file and read from the disk. */
function buildContent(
  content: string | readonly ContentBlock[],
  vision: boolean,
): { content: string; images?: Uint8Array[] } {
  if (typeof content === "string") return { content };
  const images = content.filter((block) => block.type === "image");
  if (images.length === 0) return { content: textOf(content) };
  if (vision) {
    return { content: textOf(content), images: images.map((image) => Buffer.from(image.data, "base64")) };
  }
  const words = images.map((image) => `[an image (${image.mimeType}) that this model cannot see]`);
  return { content: [textOf(content), ...words].filter((text) => text !== "").join("\n") };
}

function buildTool(tool: ToolSpec): OllamaTool {
  return {
    type: "function",
    function: { name: tool.name, description: tool.description, parameters: toServerSchema(tool.parameters) },
  };
}
