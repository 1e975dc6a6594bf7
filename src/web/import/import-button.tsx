import { useRef } from 'preact/hooks'
import { Button } from '../ui/button.tsx'
import { addFiles } from './imports.ts'

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
