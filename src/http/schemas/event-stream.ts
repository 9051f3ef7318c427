import { Type } from 'typebox'

/** OpenAPI 3.1 has no word for server-sent events: the text is one `event:`/`data:` block after another. */
export const eventStream = { 'text/event-stream': { schema: Type.String() } }
