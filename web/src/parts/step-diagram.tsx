import type { JSX } from 'preact'
import { t } from '../language'
import type { Run, RunStep } from '../types'
import { stepState } from './run-card'

const GAP_X = 44
const GAP_Y = 34
const RADIUS = 11

interface Placed {
  step: RunStep
  x: number
  y: number
}

/** Each step stands one column right of the last of those it waits for; a step depends only on steps before it. */
function place(steps: RunStep[]): { placed: Placed[]; width: number; height: number } {
  const columns: number[] = []
  const used: number[] = []
  const placed = steps.map((step, index) => {
    const column = Math.max(-1, ...step.dependsOn.map((before) => columns[before] ?? 0)) + 1
    columns[index] = column
    const row = used[column] ?? 0
    used[column] = row + 1
    return { step, x: 16 + column * GAP_X, y: 16 + row * GAP_Y }
  })
  return {
    placed,
    width: 32 + (used.length - 1) * GAP_X,
    height: 32 + (Math.max(...used.map((rows) => rows ?? 0)) - 1) * GAP_Y,
  }
}

export function StepDiagram({ run }: { run: Run }): JSX.Element {
  const { placed, width, height } = place(run.steps)
  const words = placed.map(({ step }) => {
    const before = step.dependsOn.map((index) => t().runs.step(index + 1)).join(', ')
    const state = t().runs.states[stepState(step, run)] ?? step.status
    return `${t().runs.step(step.stepIndex + 1)}: ${state}${before ? `, ${t().runs.after(before)}` : ''}`
  })
  return (
    <div class="scroll-x">
      <svg
        class="diagram"
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`${t().runs.diagram}. ${words.join('. ')}`}
      >
        {placed.flatMap(({ step, x, y }) =>
          step.dependsOn.map((index) => {
            const from = placed[index]
            if (!from) return null
            const [x1, x2] = [from.x + RADIUS, x - RADIUS]
            const middle = (x1 + x2) / 2
            return (
              <path
                key={`${index}-${step.stepIndex}`}
                class="edge"
                d={`M${x1} ${from.y}C${middle} ${from.y} ${middle} ${y} ${x2} ${y}`}
              />
            )
          }),
        )}
        {placed.map(({ step, x, y }) => (
          <g key={step.stepIndex} class={`node ${stepState(step, run)}`}>
            <circle cx={x} cy={y} r={RADIUS} />
            <text x={x} y={y + 4} text-anchor="middle">
              {step.stepIndex + 1}
            </text>
          </g>
        ))}
      </svg>
    </div>
  )
}
