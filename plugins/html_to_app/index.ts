import type { JsonObject } from '../../src/contracts/words'
import type { HandlerContext } from '../../src/runs/plugins/handler-context'
import { say } from '../_service/words'
import { toAppName } from './app-name'
import { packApp } from './pack-app'
import { writePage } from './write-page'

interface Args {
  description: string
  app_name: string
  details?: string
}

/** Has the model write a page, and packs it as a web app that can be installed and works offline. */
export async function handler(args: Args, context: HandlerContext): Promise<JsonObject> {
  const { language } = context
  const name = toAppName(args.app_name)
  context.heartbeat('writing the page')
  const { description, details } = args
  const page = await writePage({ name: name.shown, description, details, language }, context)
  context.heartbeat('packing the app')
  const { zip, files } = packApp(page, name, language)
  const file = await context.saveFile(`${name.slug}.zip`, 'application/zip', zip)
  const summary = say(context, {
    zh: `应用“${name.shown}”做好了：${file.url} 。解压后运行 open.sh（Linux）、open.command（macOS）或 open.bat（Windows）。`,
    en: `The app "${name.shown}" is ready: ${file.url} . Unpack it and run open.sh (Linux), open.command (macOS) or open.bat (Windows).`,
  })
  return { summary, app_name: name.shown, file, files }
}
