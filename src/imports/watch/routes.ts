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
        says: 'Empty when WATCH_DIR names no folder.',
      }),
    )
    .post(
      '/look',
      async () =>
        watch.isOn ? await slowJson(watch.look(true).then(status), { whenFailed: status }) : Response.json(status()),
      call('lookIntoWatchFolder', 'Look through all folders now; files that stand still are imported afterwards', {
        parse: 'none',
        answer: WatchFolder,
        says: 'Answers after the look and before the imports; these are reported to /events.',
      }),
    )
    .get(
      '/files',
      ({ query: asked }) => watchFilesPage(deps, asked),
      call('listWatchedFiles', 'Files of the folders, latest result first', {
        query: FilesQuery,
        answer: WatchFilesPage,
        statuses: [404],
        says: 'Each file with what became of it and, if it was refused, the reason.',
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
        says: 'The file must still be in its folder. Its run is imported even if it was deleted before.',
        receipt: true,
      }),
    )
}
