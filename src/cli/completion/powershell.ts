import { type CommandWords, spellings } from './command-tree.ts'

/** The characters that PowerShell takes for a single quote. */
const QUOTES = /['\u2018-\u201b]/g

/** Returns a script that makes PowerShell complete the command line. */
export function powershellCompletion(program: CommandWords): string {
  const { commands } = program
  const tree = JSON.stringify([program, ...commands].map((command) => treeOf(command, program)))
  return `# PowerShell completion of crawl: put "crawl completion powershell | Out-String | Invoke-Expression" into $PROFILE
Register-ArgumentCompleter -Native -CommandName crawl, orbweaver -ScriptBlock {
  param($current, $ast, $cursor)
  $tree = ConvertFrom-Json '${tree.replace(QUOTES, '$&$&')}'
  $typed = @($ast.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { "$_" })
  $program = $tree | Where-Object { $_.name -ceq '' }
  $command = $tree | Where-Object { $typed.Count -gt 1 -and $_.name -ceq $typed[1] }
  $position = $typed.Count - 2
  if ($null -eq $command) { $command = $program; $position = $typed.Count - 1 }
  $previous = $typed[-1]
  $option = $command.options | Where-Object { $null -ne $_.value -and $_.names -ccontains $previous }
  if ($null -ne $option) { $value = $option.value }
  elseif ($current -like '-*') { $value = $null }
  else { $value = $command.args[[Math]::Min([Math]::Max($position, 0), $command.args.Count - 1)] }
  $found = @()
  if ($null -ne $value) { $found += $value.values | ForEach-Object { @{ text = $_; note = $_ } } }
  if ($null -eq $option -and $current -like '-*') {
    $found += $command.options | ForEach-Object { $note = $_.note; $_.names | ForEach-Object { @{ text = $_; note = $note } } }
  }
  if ($typed.Count -eq 1 -and $current -notlike '-*') {
    $found += $tree | Where-Object { $_.name } | ForEach-Object { @{ text = $_.name; note = $_.note } }
  }
  if ($null -ne $value -and $value.kind -eq 'state') {
    $found += Get-ChildItem -Directory -Path "$current*" | Where-Object { Test-Path (Join-Path $_.FullName 'crawl.sqlite') } |
      ForEach-Object { $path = Resolve-Path -Relative -LiteralPath $_.FullName; @{ text = $path; note = $path } }
  }
  $found | Where-Object { $_.text -and ($_.text -like "$current*" -or $_.text -like ".*$current*") } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_.text, $_.text, 'ParameterValue', $_.note)
  }
}
`
}

function treeOf(command: CommandWords, program: CommandWords) {
  return {
    name: command === program ? '' : command.name,
    note: command.description,
    args: command.args,
    options: command.options.map((option) => ({
      names: spellings(option),
      note: option.description,
      value: option.value ?? null,
    })),
  }
}
