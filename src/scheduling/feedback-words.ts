import type { RunResult, RunnableTool } from '../contracts/plugin'
import type { Run, RunStep } from '../contracts/run'
import type { JsonObject } from '../contracts/words'

/** Finds words (and missing arguments) for a run. Never fails and never keeps a run waiting long: there is always a plain one. */
export interface FeedbackWords {
  /** One or two friendly sentences for work that is not done at its deadline. */
  progress(run: Run, step: RunStep): Promise<string>
  /** What the person is told of the outcome. */
  result(run: Run, step: RunStep, result: RunResult): Promise<string>
  /** The draft as it is, or completed by the model from the results before where something required is missing. */
  completeArguments(run: Run, steps: RunStep[], step: RunStep, tool: RunnableTool | undefined): Promise<JsonObject>
}
