/** What a validator found, as Ajv and TypeBox both say it. */
export interface Misfit {
  instancePath: string
  message?: string | undefined
  params?: object
}

/** One line that a model or a person can act on; `whole` names what was checked, for a fault that has no field. */
export function describeMisfit({ instancePath, message, params = {} }: Misfit, whole = ''): string {
  const where = instancePath.slice(1).replaceAll('/', '.') || whole
  const extra = 'additionalProperty' in params ? ` (${String(params.additionalProperty)})` : ''
  const allowed = 'allowedValues' in params ? ` (${JSON.stringify(params.allowedValues)})` : ''
  return `${where} ${message ?? 'does not fit'}${extra}${allowed}`.trimStart()
}
