import { Elysia } from 'elysia'
import type { Turns } from '../../base/turns.ts'
import { ImportAnswer } from '../../features/workouts/schemas.ts'
import { byOf } from '../../http/author.ts'
import { query } from '../../http/query.ts'
import { ErrorBody } from '../../http/schemas.ts'
import { slowJson } from '../../http/slow-json.ts'
import { pathIds } from '../../http/standard.ts'
import type { Deps } from '../../library/deps.ts'
import { importAgain } from './round.ts'
import { FilesQuery, WatchFilesPage, WatchFolder, watchFilesPage, watchStatus } from './status.ts'
import type { Watch } from './watch.ts'

export function watchRoutes(deps: Deps, { watch, turns }: { readonly watch: Watch; readonly turns: Turns }) {
  const status = () => watchStatus(deps, watch)
  return new Elysia({ prefix: '/watch-folder', tags: ['Watch folder'] })
    .get('', status, {
      response: { 200: WatchFolder },
      detail: { summary: 'The watch folders, their states, and the results of their files' },
    })
    .post(
      '/look',
      async () =>
        watch.isOn ? await slowJson(watch.look(true).then(status), { whenFailed: status }) : Response.json(status()),
      {
        parse: 'none',
        response: { 200: WatchFolder },
        detail: { summary: 'Look through all folders now; files that stand still are imported afterwards' },
      },
    )
    .get('/files', ({ query: asked }) => watchFilesPage(deps, asked), {
      ...query(FilesQuery),
      response: { 200: WatchFilesPage, 404: ErrorBody },
      detail: { summary: 'Files of the folders, latest result first' },
    })
    .post(
      '/files/:id/import',
      async ({ params: { id }, request }) => {
        const authored = { ...deps, ...byOf(request) }
        const work = importAgain(authored, turns, id)
        const whenFailed = (error: unknown) => {
          deps.log.error('A file of the watch folder could not be imported again', error)
          return { error: 'The import ended early because of an unexpected error; it can be repeated' }
        }
        return await slowJson(work, { whenFailed })
      },
      {
        parse: 'none',
        params: pathIds({ id: 'File' }),
        response: { 200: ImportAnswer, 400: ErrorBody },
        detail: { summary: 'Import a file again, also one whose run was deleted' },
      },
    )
}
