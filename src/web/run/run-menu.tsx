import { useState } from 'preact/hooks'
import { failureNotice, Lazy } from '../ui/lazy.tsx'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import type { RunSeries } from './charts/series.ts'
import type { Fix } from './fix/fix-dialog.tsx'
import type { RunDialogProps } from './run-dialogs.tsx'

interface RunMenuProps extends Omit<RunDialogProps, 'name' | 'onClose'> {
  /** null: there are no samples, or they are loading. */
  readonly series: RunSeries | null
  /** Leads to the runs that this one can be raced against; null: it has no route. */
  readonly onRace: (() => void) | null
  readonly onDelete: () => void
}

/** Actions on a whole run. */
export function RunMenu({ series, onRace, onDelete, ...shared }: RunMenuProps) {
  const [open, setOpen] = useState<RunDialogProps['name'] | 'fix' | null>(null)
  const items: readonly MenuItem[] = [
    { text: 'Edit…', icon: 'edit', onChoose: () => setOpen('edit') },
    ...(onRace === null ? [] : [{ text: 'Race it', icon: 'runs', onChoose: onRace } as const]),
    { text: 'Similar runs…', icon: 'whole', onChoose: () => setOpen('similar') },
    { text: 'Fix…', icon: 'section', onChoose: () => setOpen('fix') },
    { text: 'Download…', icon: 'download', onChoose: () => setOpen('download') },
    { text: 'Exclude…', icon: 'minus', onChoose: () => setOpen('exclude') },
    { text: 'Delete', icon: 'trash', isDangerous: true, onChoose: onDelete },
  ]
  const onClose = () => setOpen(null)
  return (
    <>
      <Menu label="More actions" items={items} buttonClass="button icon-only" />
      {open === 'fix' && <FixRun run={shared.run} series={series} first={null} onClose={onClose} />}
      {open !== null && open !== 'fix' && (
        <Lazy key={open} load={loadDialog} props={{ ...shared, name: open, onClose }} waiting={failureNotice} />
      )}
    </>
  )
}

interface FixRunProps extends Pick<RunMenuProps, 'run' | 'series'> {
  readonly first: Fix | null
  readonly onClose: () => void
}

/** The dialog of repairs, whose code is loaded when it is first opened. */
export function FixRun(props: FixRunProps) {
  return <Lazy load={loadFix} props={props} waiting={failureNotice} />
}

const loadFix = () => import('./fix/fix-dialog.tsx').then(({ FixDialog }) => FixDialog)
const loadDialog = () => import('./run-dialogs.tsx').then(({ RunDialog }) => RunDialog)
