import { existsSync } from 'node:fs'
import path from 'node:path'
import { bundleWorkflowCode } from '@temporalio/worker'
import type { WorkflowBundleOption } from '@temporalio/worker'

/** The bundle that the build has made; without one it is made now, which takes some seconds. */
export async function workflowBundle(): Promise<WorkflowBundleOption> {
  const built = path.resolve(__dirname, '../../../workflow-bundle.js')
  if (existsSync(built)) return { codePath: built }
  return bundleWorkflowCode({ workflowsPath: path.resolve(__dirname, '../../../workflows/index') })
}
