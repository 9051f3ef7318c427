import type { ChatCompletionCreateParamsStreaming, ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { ModelMessage, ModelRequest, ModelSettings } from './model'

export type NamedRequest = ModelRequest & { modelName: string }

/** Our words in the provider's words. Some servers refuse an empty list of tools, so it is left out. */
export function toCompletionBody(request: NamedRequest, withUsage: boolean): ChatCompletionCreateParamsStreaming {
  const body: ChatCompletionCreateParamsStreaming = {
    model: request.modelName,
    messages: request.messages.map(toMessage),
    stream: true,
    ...toSettings(request.settings ?? {}),
    ...(withUsage && { stream_options: { include_usage: true } }),
  }
  if (request.tools.length === 0) return body
  return {
    ...body,
    tools: request.tools.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters: { ...parameters } },
    })),
  }
}

/** What nobody asked for is left out: servers differ in what they take. */
function toSettings({ temperature, topP, maxTokens, stop }: ModelSettings) {
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    ...(stop === undefined ? {} : { stop }),
  }
}

function toMessage(message: ModelMessage): ChatCompletionMessageParam {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.toolCallId, content: message.content }
  if (message.role !== 'assistant' || !message.toolCalls?.length) {
    return { role: message.role, content: message.content }
  }
  return {
    role: 'assistant',
    content: message.content || null,
    tool_calls: message.toolCalls.map(({ id, name, arguments: text }) => ({
      id,
      type: 'function',
      function: { name, arguments: text },
    })),
  }
}
