import { readFile } from 'node:fs/promises'
import type { TLSConfig } from '@temporalio/client'
import type { TemporalConfig } from '../../config'

/** What client and worker connections have in common. */
export async function temporalConnectionOptions(config: TemporalConfig) {
  const { tls } = config
  return {
    address: config.address ?? '127.0.0.1:7233',
    apiKey: config.apiKey,
    tls: tls.enabled || tls.certPath || tls.caPath ? await readTls(tls) : undefined,
  }
}

async function readTls(tls: TemporalConfig['tls']): Promise<TLSConfig> {
  const read = async (file: string | undefined) => (file === undefined ? undefined : await readFile(file))
  const [ca, crt, key] = await Promise.all([read(tls.caPath), read(tls.certPath), read(tls.keyPath)])
  return {
    serverNameOverride: tls.serverName,
    serverRootCACertificate: ca,
    clientCertPair: crt && key ? { crt, key } : undefined,
  }
}
