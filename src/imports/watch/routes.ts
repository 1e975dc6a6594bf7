import { Elysia } from 'elysia'
import type { Turns } from '../../base/turns.ts'
import { ImportAnswer } from '../../features/workouts/schemas.ts'
import { byOf } from '../../http/author.ts'
import { call } from '../../http/call.ts'
import { slowJson } from '../../http/slow-json.ts'
import type { Deps } from '../../library/deps.ts'
import { importAgain } from './round.ts'
import { FilesQuery, WatchFilesPage, WatchFolder, watchFilesPage, watchStatus } from './status.ts'
import type { Watch } from './watch.ts'

export function watchRoutes(deps: Deps, { watch, turns }: { readonly watch: Watch; readonly turns: Turns }) {
  const status = () => watchStatus(deps, watch)
  return new Elysia({ prefix: '/watch-folder', tags: ['Watch folder and sync'] })
    .get(
      '',
      status,
      call('getWatchFolder', 'The watch folders, their states, and the results of their files', {
        answer: WatchFolder,
        says: 'Without a folder (WATCH_DIR) the lists are empty.',
      }),
    )
    .post(
      '/look',
      async () =>
        watch.isOn ? await slowJson(watch.look(true).then(status), { whenFailed: status }) : Response.json(status()),
      call('lookIntoWatchFolder', 'Look through all folders now; files that stand still are imported afterwards', {
        parse: 'none',
        answer: WatchFolder,
        says: 'Lists all folders, 8 deep. Answers after the look and before the imports, which are reported to /events.',
      }),
    )
    .get(
      '/files',
      ({ query }) => watchFilesPage(deps, query),
      call('listWatchedFiles', 'Files of the folders, latest result first', {
        query: FilesQuery,
        answer: WatchFilesPage,
        statuses: [404],
        says: 'GPX, FIT, TCX, CSV, JSON and ZIP, also as .gz. A file of the same path, size and time is not read again.',
      }),
    )
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
      call('importWatchedFile', 'Import a file again, also one whose run was deleted', {
        parse: 'none',
        path: { id: 'File' },
        answer: ImportAnswer,
        statuses: [400],
        says:
          'It must still be in its folder. 400 with the reason when it cannot be read, has no run or is being written. ' +
          'Answers like POST /workouts/import.',
        receipt: true,
      }),
    )
}
