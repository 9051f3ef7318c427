import { render } from 'preact'
import { startTicking } from './clock'
import { App } from './parts/app'
import { signInByLink } from './parts/sign-in'
import { startDesk } from './state/desk'
import './styles/base.css'
import './styles/desk.css'
import './styles/talk.css'
import './styles/side.css'

startTicking()
await signInByLink()
startDesk()
render(<App />, document.getElementById('page')!)
