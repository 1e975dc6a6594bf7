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

/** Calls that a key with the scope read may not make: they list keys and secrets. */
const NOT_READ = ['/auth/api-keys', '/webhooks'] as const

/** Whether a key of this scope may make a call that needs credentials; also for unknown paths. */
export function isWithinScope(scope: Scope, method: string, path: string): boolean {
  if (scope === 'full') return true
  if (scope === 'upload') return isUpload(method, path)
  return method === 'GET' && !NOT_READ.some((part) => path === part || path.startsWith(`${part}/`))
}
