/** A route as the program declares it, such as `/workouts/:id`. */
interface Route {
  readonly method: string
  readonly path: string
}

/**
 * Finds the pattern of the route that answers a call; `unmatched` for other calls, so that their number is bounded.
 * @param routes read once, at the first call
 */
export function routePatterns(routes: () => readonly Route[]): (method: string, path: string) => string {
  let patterns: Map<string, { parts: readonly string[]; path: string }[]> | null = null
  return (method, path) => {
    patterns ??= Map.groupBy(
      routes().map((route) => ({ ...route, parts: route.path.split('/') })),
      ({ method: known, parts }) => `${known} ${parts.at(-1) === '*' ? '*' : parts.length}`,
    )
    const parts = path.split('/')
    const found = [...(patterns.get(`${method} ${parts.length}`) ?? []), ...(patterns.get(`${method} *`) ?? [])]
    return found.toSorted(byVariables).find((pattern) => fits(pattern.parts, parts))?.path ?? 'unmatched'
  }
}

/** Those with fewer variable parts first: `/workouts/import` before `/workouts/:id`. */
function byVariables(a: { readonly parts: readonly string[] }, b: { readonly parts: readonly string[] }): number {
  const variables = ({ parts }: typeof a) => parts.filter((part) => part.startsWith(':') || part === '*').length
  return variables(a) - variables(b)
}

function fits(pattern: readonly string[], parts: readonly string[]): boolean {
  return pattern.every(
    (part, place) => part === '*' || (part.startsWith(':') ? parts[place] !== '' : part === parts[place]),
  )
}
