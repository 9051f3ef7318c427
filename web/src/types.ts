import type { Static } from '@fastify/type-provider-typebox'
import type { AutomationView } from '../../src/automations/schemas'
import type { MessageEventData } from '../../src/contracts/event'
import type { JsonObject, JsonValue } from '../../src/contracts/words'
import type { SessionView } from '../../src/conversation/schemas/session'
import type { ToolCallView } from '../../src/conversation/schemas/tool-call'
import type { KeptView, PromiseView } from '../../src/promises/schemas'
import type { ScheduledMessageView } from '../../src/reminders/schemas'
import type { RunView, StepView } from '../../src/runs/schemas'
import type { TaskView } from '../../src/tasks/schemas'

/** What the API answers: the page reads the very schemas that the routes answer with. */
export type Message = MessageEventData
export type { JsonObject, JsonValue }
export type { DeltaData, PromiseEventData, TurnEventData } from '../../src/contracts/event'
export type Session = Static<typeof SessionView>
export type ToolCall = Static<typeof ToolCallView>
export type PromiseItem = Static<typeof PromiseView>
export type Kept = Static<typeof KeptView>
export type ScheduledMessage = Static<typeof ScheduledMessageView>
export type RunStep = Static<typeof StepView>
export type Run = Static<typeof RunView>
export type Automation = Static<typeof AutomationView>
export type Task = Static<typeof TaskView>
