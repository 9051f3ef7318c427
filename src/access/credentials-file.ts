import path from 'node:path'

export interface FirstCredentials {
  /** Given on the first start only; the token is in the fragment, so it reaches no server log. */
  signInUrl: string | undefined
  credentialsPath: string
  username: string
}

export function credentialsFile(dataDir: string): string {
  return path.join(dataDir, 'credentials.json')
}
