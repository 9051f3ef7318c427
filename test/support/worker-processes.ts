const served = new Set<string>()

/** A worker in a process of its own is started on this database. */
export const noteWorkerProcess = (databaseUrl: string): void => void served.add(databaseUrl)

export const hadWorkerProcess = (databaseUrl: string): boolean => served.has(databaseUrl)
