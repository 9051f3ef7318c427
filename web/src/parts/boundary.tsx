import { Component } from 'preact'
import type { ComponentChildren } from 'preact'

/** What cannot be drawn takes nothing else with it: in its place stands what it falls back to. */
export class Boundary extends Component<
  { fallback: ComponentChildren; children: ComponentChildren },
  { isBroken: boolean }
> {
  override state = { isBroken: false }

  static override getDerivedStateFromError(): { isBroken: boolean } {
    return { isBroken: true }
  }

  override render(): ComponentChildren {
    return this.state.isBroken ? this.props.fallback : this.props.children
  }
}
