/** What the command line understands. What is here is for the other rooms; the rest is the inside. */
export { CHANNEL_OPTIONS } from './channel-commands'
export { USAGE, runCommand } from './commands'
