export const SCOPES = ['full', 'read', 'upload'] as const
export type Scope = (typeof SCOPES)[number]

/** Calls that a key with the scope upload may make, beside its own address below `/in/`. */
const UPLOADS: ReadonlySet<string> = new Set([
  'POST /workouts/import',
  'POST /workouts/import/raw',
  'POST /workouts/import/health',
])

export function isUpload(method: string, path: string): boolean {
  return UPLOADS.has(`${method} ${path}`)
}

/** Calls that a key with the scope read may not make: they list keys. */
const NOT_READ = '/auth/api-keys'

/** Whether a key of this scope may make a call that needs credentials; also for unknown paths. */
export function isWithinScope(scope: Scope, method: string, path: string): boolean {
  if (scope === 'full') return true
  if (scope === 'upload') return isUpload(method, path)
  return method === 'GET' && path !== NOT_READ && !path.startsWith(`${NOT_READ}/`)
}
