import { Elysia } from 'elysia'
import { type Backups, createBackups } from './archive/backups/scheduled.ts'
import { archiveRoutes } from './archive/routes.ts'
import { createTurns, type Turns } from './base/turns.ts'
import { createArrivals } from './features/auth/arrivals.ts'
import { gate, isPublic, passOf } from './features/auth/gate.ts'
import { authRoutes } from './features/auth/routes.ts'
import { calendarRoutes } from './features/calendar/routes.ts'
import { downloadRoutes } from './features/downloads/routes.ts'
import { eventRoutes } from './features/events/routes.ts'
import { createTags } from './features/events/tags.ts'
import { groundRoutes } from './features/ground/routes.ts'
import { mapRoutes } from './features/map/routes.ts'
import { mediaRoutes } from './features/media/routes.ts'
import { placeRoutes } from './features/places/routes.ts'
import { receiptRoutes, trashRoutes } from './features/receipts/routes.ts'
import { repairRoutes } from './features/repair/routes.ts'
import { settingsRoutes } from './features/settings/routes.ts'
import { shareRoutes } from './features/share/routes.ts'
import { defaultShoeRoutes, shoeRoutes } from './features/shoes/routes.ts'
import { statsRoutes } from './features/stats/routes.ts'
import { createRequests } from './features/system/metrics.ts'
import { systemRoutes } from './features/system/routes.ts'
import { trainingRoutes } from './features/training/routes.ts'
import { createTraining } from './features/training/truth/readings.ts'
import { truthRoutes } from './features/training/truth/routes.ts'
import { runEffortRoutes } from './features/workouts/efforts/routes.ts'
import { recalculationRoutes, zonesUpdateRoutes } from './features/workouts/recalculation/routes.ts'
import { workoutRoutes } from './features/workouts/routes.ts'
import { sameGroundRoutes } from './features/workouts/same-ground/routes.ts'
import { sampleRoutes } from './features/workouts/samples/routes.ts'
import { sourceRoutes } from './features/workouts/sources/routes.ts'
import { answerError } from './http/errors.ts'
import { framed, type Handle } from './http/frame.ts'
import { createHeavy } from './http/heavy.ts'
import { createKeyed } from './http/idempotency.ts'
import { canonicalPath, pathOf } from './http/paths.ts'
import { swaggerRoutes } from './http/swagger.ts'
import { containerRoutes } from './imports/routes.ts'
import { syncRoutes } from './imports/sync/routes.ts'
import { createSync, type Sync } from './imports/sync/sync.ts'
import { uploadRoutes } from './imports/uploads/routes.ts'
import { watchRoutes } from './imports/watch/routes.ts'
import { createWatch, type Watch } from './imports/watch/watch.ts'
import { noteChanges, spanOf } from './library/changes.ts'
import type { Deps } from './library/deps.ts'
import { pageRoutes, towardsPage } from './page/routes.ts'

/** State that the HTTP routes share with background jobs. */
export interface Works {
  /**
   * Turns of imports of whole archives, from requests and from the watch folder: two at once would take twice the
   * memory and as long.
   */
  readonly turns: Turns
  /** Turns of undoing receipts. */
  readonly undos: Turns
  readonly watch: Watch
  readonly backups: Backups
  readonly sync: Sync
}

export function createWorks(deps: Deps): Works {
  const turns = createTurns({ atOnce: 1 })
  const undos = createTurns({ atOnce: 1 })
  const backups = createBackups(deps, { turns: [turns, undos] })
  return { turns, undos, watch: createWatch(deps, turns), backups, sync: createSync(deps, turns) }
}

/**
 * The whole HTTP surface. Each request passes the frame (address, cross-origin, headers), then the gate (credentials),
 * then its route (size and type of the body, path ids, body and query); every failure is answered in one place.
 */
export function createApp(deps: Deps, works: Works = createWorks(deps)) {
  const { config, log } = deps
  const { turns } = works
  deps.db.ending = (tx) => noteChanges(tx, deps.now())
  const arrivals = createArrivals(deps)
  const tags = createTags(deps)
  const requests = createRequests()
  const keyed = createKeyed({ ...deps, lastChange: () => spanOf(deps.db).last })
  const patternsOf = routePatterns(() => app.routes)
  const patternOf = (method: string, path: string) => patternsOf(path).get(method) ?? null
  const methodsOf = (path: string) => {
    const all = [...patternsOf(path)]
    const [own] = all.map(([, pattern]) => pattern).toSorted((a, b) => variables(a) - variables(b))
    return all.flatMap(([method, pattern]) => (pattern === own ? [method] : []))
  }
  // only Elysia routes requests: Bun's own router would see addresses before the frame has made them canonical
  const app = new Elysia({ systemRouter: false })
  const heavy = createHeavy()
  // Elysia types the wrapped function as any Function; it is its request handler
  app.wrap((handle) => (request: Request) => {
    const { server } = app
    const answer = (asked: Request) => keyed(towardsPage(asked, patternOf), handle as unknown as Handle)
    const { method } = request
    return framed(request, answer, { config, server, isPublic, answered: arrivals.answered })
      .catch((error: unknown) => answerError({ error, code: undefined, request, log, damage: deps.damage }))
      .then((sent) => {
        // so that the number of patterns is bounded
        const route = patternOf(method === 'HEAD' ? 'GET' : method, pathOf(request)) ?? 'unmatched'
        requests.note(method, route, sent.status)
        tags.after(request, sent)
        return sent
      })
  })
  const training = createTraining(deps)
  // routes of one subject are an instance of their own: types of one long chain are too deep for the compiler
  return app
    .onError(({ error, code, request }) => answerError({ error, code, request, log, damage: deps.damage }))
    .use(gate(deps, arrivals, methodsOf))
    .onBeforeHandle(({ request }) => tags.before(request))
    .use(authRoutes(deps))
    .use(systemRoutes(deps, requests, () => ({ importsWaiting: turns.waiting(), watch: works.watch.status() })))
    .use(settingsRoutes(deps))
    .use(new Elysia().use(calendarRoutes(deps)).use(shareRoutes(deps)))
    .use(zonesUpdateRoutes(deps))
    .use(defaultShoeRoutes(deps))
    .use(shoeRoutes(deps))
    .use(statsRoutes(deps))
    .use(uploadRoutes(deps, turns, arrivals.noteArrival))
    .use(workoutRoutes(deps, heavy))
    .use(runEffortRoutes(deps))
    .use(sampleRoutes(deps, heavy))
    .use(sourceRoutes(deps))
    .use(recalculationRoutes(deps))
    .use(sameGroundRoutes(deps))
    .use(repairRoutes(deps))
    .use(trainingRoutes(deps, training))
    .use(truthRoutes(deps, training))
    .use(mediaRoutes(deps))
    .use(new Elysia().use(mapRoutes(deps)).use(groundRoutes(deps)).use(placeRoutes(deps)))
    .use(containerRoutes(deps, turns))
    .use(archiveRoutes(deps, { heavy }))
    .use(receiptRoutes(deps, works.undos))
    .use(trashRoutes(deps))
    .use(new Elysia().use(watchRoutes(deps, works)).use(syncRoutes(deps, works.sync)))
    .use(downloadRoutes({ ...deps, heavy }))
    .use(eventRoutes(deps))
    .use(pageRoutes(deps))
    .use(swaggerRoutes(() => app, passOf))
}

/** A route as the program declares it, such as `/workouts/:id`. */
interface Route {
  readonly method: string
  readonly path: string
}

/**
 * Finds the patterns of the routes at a path, by method.
 * @param routes read once, at the first call
 */
function routePatterns(routes: () => readonly Route[]): (path: string) => ReadonlyMap<string, string> {
  let patterns: readonly (Route & { readonly fits: RegExp })[] | null = null
  // asked several times of each request
  let last = { path: '', found: new Map<string, string>() }
  return (path) => {
    if (path === last.path) return last.found
    patterns ??= routes()
      .toSorted((a, b) => variables(a.path) - variables(b.path))
      .map(({ method, path: declared }) => {
        const path = canonicalPath(declared)
        return { method, path, fits: new RegExp(`^${path.replace(VARIABLE, '[^/]+').replace('*', '.*')}$`) }
      })
    const found = patterns.filter(({ fits }) => fits.test(path))
    // of several of a method, the first one counts
    last = { path, found: new Map(found.toReversed().map((route) => [route.method, route.path])) }
    return last.found
  }
}

const VARIABLE = /:[^/]+/g

/** How many parts of a route vary: `/workouts/import` is looked for before `/workouts/:id`. */
function variables(path: string): number {
  return path.match(/:|\*/g)?.length ?? 0
}
