import { connect, type Socket } from 'node:net'

/** Passes on what comes on either side, until one of them ends. */
export function tunnel(client: Socket, port: number, onOpen: () => void, onFail: () => void): void {
  // Whatever name was asked for, all that is served in tests is on loopback.
  const site = connect(port, '127.0.0.1')
  let isOpen = false
  site.once('connect', () => {
    isOpen = true
    onOpen()
    client.pipe(site).pipe(client)
  })
  site.on('error', () => {
    if (isOpen) client.destroy()
    else onFail()
  })
  client.on('error', () => site.destroy()).on('close', () => site.destroy())
}
