import { useEffect, useRef, useState } from 'preact/hooks'
import type { ImportProgress } from '../../base/events.ts'
import { failureText } from '../api.ts'
import { createStore, useStore } from '../store.ts'
import { Button, Icon } from '../ui/button.tsx'
import { toast } from '../ui/toast.tsx'
import { FORMAT_NAMES } from './formats.ts'

/** Imports files that are dropped anywhere on the window. Views with their own drop area stop the event. */
export function DropTarget() {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    // entering a child fires a leave event of its parent, so the nesting depth is counted
    let depth = 0
    const gone = new AbortController()
    const on = (name: 'dragenter' | 'dragover' | 'dragleave' | 'drop', listen: (event: DragEvent) => void) =>
      window.addEventListener(name, (event) => hasFiles(event) && listen(event), { signal: gone.signal })
    on('dragenter', (event) => {
      event.preventDefault()
      depth += 1
      setOver(true)
    })
    on('dragover', (event) => event.preventDefault())
    on('dragleave', () => {
      depth -= 1
      if (depth <= 0) setOver(false)
    })
    on('drop', (event) => {
      depth = 0
      setOver(false)
      if (event.defaultPrevented) return
      event.preventDefault()
      void droppedFiles(event).then(addFiles)
    })
    return () => gone.abort()
  }, [])
  if (!isOver) return null
  return (
    <div class="drop-over" aria-hidden="true">
      <div class="empty stack large">
        <Icon name="upload" />
        <strong>Drop to import</strong>
      </div>
    </div>
  )
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') === true
}

/** The files of a drop, including those in dropped folders. */
async function droppedFiles(event: DragEvent): Promise<File[]> {
  // both lists are available only until the first await
  const plain = [...(event.dataTransfer?.files ?? [])]
  const entries = [...(event.dataTransfer?.items ?? [])].map((item) => item.webkitGetAsEntry?.() ?? null)
  if (!entries.some((entry) => entry?.isDirectory === true)) return plain
  const found: File[] = []
  for (const entry of entries) if (entry !== null) found.push(...(await filesOf(entry)))
  return found
}

async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  if (entry.name.startsWith('.')) return []
  if (isFile(entry)) return [await new Promise<File>((resolve, reject) => entry.file(resolve, reject))]
  if (!isFolder(entry)) return []
  const reader = entry.createReader()
  const found: File[] = []
  // a folder is read in groups of at most 100 entries; the last group is empty
  for (;;) {
    const piece = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (piece.length === 0) return found
    for (const child of piece) found.push(...(await filesOf(child)))
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}

interface ImportButtonProps {
  readonly text?: string
  readonly kind?: 'plain' | 'primary'
  /** One archive, to be restored. */
  readonly isArchive?: boolean
}

/** Opens the system's file dialog; files can also be dropped anywhere. */
export function ImportButton({ text = 'Import', kind = 'primary', isArchive = false }: ImportButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button kind={kind} icon={isArchive ? 'archive' : 'upload'} onClick={() => input.current?.click()}>
        {text}
      </Button>
      <input
        ref={input}
        type="file"
        {...(isArchive ? { accept: '.zip,application/zip' } : { multiple: true })}
        hidden
        aria-label={isArchive ? 'Archive to restore' : 'Files to import'}
        onChange={(event) => {
          const { files } = event.currentTarget
          if (files !== null) void addFiles([...files])
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}

/** Explains what can be dropped; dropping works on the whole window. */
export function DropZone() {
  return (
    <div class="drop-zone empty stack">
      <Icon name="upload" />
      <p>
        <strong>Drop files anywhere on this page</strong>
      </p>
      <p class="muted small">{FORMAT_NAMES} (also .gz), or a whole export of Garmin, Strava, Apple Health and others</p>
      <ImportButton text="Choose files" kind="plain" />
      <details>
        <summary>Bring your history</summary>
        <HistoryHelp />
      </details>
    </div>
  )
}

/** Where each service gives its export; names of menus are those of the services. */
const WAYS: readonly (readonly [string, string])[] = [
  ['Garmin', 'garmin.com/account › Data Management › Export Your Data. The ZIP arrives by email.'],
  ['Strava', 'Settings › My Account › Download or Delete Your Account › Request Your Archive.'],
  ['Apple Health', 'Health app › your picture › Export All Health Data.'],
  ['Polar Flow', 'account.polar.com › Download your data.'],
  ['adidas Running', 'Settings › Account › Export data.'],
  ['Runkeeper', 'runkeeper.com › Account settings › Export data.'],
  ['Nike Run Club', 'Ask Nike for a copy of your data. Drop its JSON files, or a ZIP of them.'],
  [
    'Health Connect',
    'Settings of the phone › Health Connect › Manage data › Backup and restore. Its ZIP is in your cloud storage.',
  ],
  ['FitTrackee, Endurain', 'Their own export.'],
  ['workout-tracker', 'Its file database.db, copied while it is stopped.'],
  ['GoldenCheetah', 'A ZIP of its activities folder.'],
  ['Anything else', 'A ZIP of FIT, GPX or TCX files, in any folders.'],
]

/** How to get the export of each service; it is dropped as it is. */
function HistoryHelp() {
  return (
    <dl class="history-help stack gap-2 small above-3">
      {WAYS.map(([name, way]) => (
        <div key={name}>
          <dt class="bold">{name}</dt>
          <dd class="muted">{way}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Whether something is or was imported here; most visits need neither the tray nor the queue. */
const isWanted = createStore(false)

export function useHasImports(): boolean {
  return useStore(isWanted)
}

/** Adds files; they are uploaded one by one, so that each has its own answer. */
async function addFiles(files: readonly File[]): Promise<void> {
  try {
    const queue = await import('./queue.ts')
    isWanted.set(true)
    await queue.addFiles(files)
  } catch (error) {
    toast(failureText(error))
  }
}

/** Shows why nothing was imported of files that a phone shared. @param query of the address */
export async function showShared(query: URLSearchParams): Promise<void> {
  const shared = await import('./queue.ts')
  isWanted.set(true)
  await shared.showShared(query)
}

/** Shows a progress event of an import; those of other windows are not shown. */
export function showProgress(stated: ImportProgress): void {
  if (isWanted.get()) void import('./queue.ts').then(({ ownProgress }) => ownProgress(stated))
}
