; Added to the Windows installer: "Open with", doctray: links, the name "doctray" and the user's PATH, and a running DocTray that finishes its saves before
; it is closed. electron-builder's own file associations would make DocTray the default program.

!define DOCTRAY_DOCUMENT "DocTray.Document"
!define DOCTRAY_APP_PATH "Software\Microsoft\Windows\CurrentVersion\App Paths\doctray.exe"

!macro eachDocumentKind ACTION
  !insertmacro ${ACTION} docx
  !insertmacro ${ACTION} xlsx
  !insertmacro ${ACTION} pptx
  !insertmacro ${ACTION} odt
  !insertmacro ${ACTION} ods
  !insertmacro ${ACTION} odp
  !insertmacro ${ACTION} doc
  !insertmacro ${ACTION} xls
  !insertmacro ${ACTION} ppt
  !insertmacro ${ACTION} rtf
  !insertmacro ${ACTION} csv
  !insertmacro ${ACTION} txt
!macroend

!macro offerOpenWith EXTENSION
  WriteRegStr SHELL_CONTEXT "Software\Classes\.${EXTENSION}\OpenWithProgids" "${DOCTRAY_DOCUMENT}" ""
!macroend

!macro withdrawOpenWith EXTENSION
  DeleteRegValue SHELL_CONTEXT "Software\Classes\.${EXTENSION}\OpenWithProgids" "${DOCTRAY_DOCUMENT}"
  !insertmacro deleteEmptyKey "Software\Classes\.${EXTENSION}\OpenWithProgids"
  !insertmacro deleteEmptyKey "Software\Classes\.${EXTENSION}"
!macroend

; Before NSIS 3.08, /ifempty looks for subkeys only, so it alone would delete the values of other programs.
!macro deleteEmptyKey KEY
  ClearErrors
  EnumRegValue $R0 SHELL_CONTEXT "${KEY}" 0
  ${if} ${Errors}
    DeleteRegKey /ifempty SHELL_CONTEXT "${KEY}"
  ${endIf}
!macroend

; Changes the user's PATH. PowerShell, because a string of NSIS holds 1024 characters and a PATH may be longer. The folder is passed in a
; variable, so that no character in it needs quoting. $$p is the PATH as it is stored, with variables such as %USERPROFILE% in it; f
; expands an entry to compare it.
!macro changePath CHANGE
  System::Call 'kernel32::SetEnvironmentVariable(t "DOCTRAY_BIN", t "$INSTDIR\bin")'
  nsExec::Exec /TIMEOUT=30000 `"$SYSDIR\WindowsPowerShell\v1.0\powershell.exe" -NoProfile -NonInteractive -Command "$$d = $$env:DOCTRAY_BIN; filter f { [Environment]::ExpandEnvironmentVariables($$_).TrimEnd('\') }; $$k = [Microsoft.Win32.Registry]::CurrentUser.CreateSubKey('Environment'); $$p = [string]$$k.GetValue('Path', '', 'DoNotExpandEnvironmentNames'); $$n = & { ${CHANGE} }; if ($$n -cne $$p) { $$k.SetValue('Path', $$n, 'ExpandString') }"`
  Pop $R0
  ; Programs that start from now on get the new PATH.
  SendMessage 0xFFFF 0x1A 0 "STR:Environment" /TIMEOUT=5000
!macroend

; Drops entries of folders that DocTray was moved away from. The update itself keeps them, because the new folder isn't known yet. An entry
; stays if its drive isn't there, or is a network share's: it may be back later.
!define DOCTRAY_ADDED_TO_PATH "$$q = ($$p -split ';' | ? { $$f = $$_ | f; $$f -eq $$d -or $$f -notlike '[a-z]:*\DocTray\bin' -or [IO.Directory]::Exists($$f) -or -not [IO.Directory]::Exists($$f.Substring(0, 3)) }) -join ';'; if (($$q -split ';' | f) -contains $$d) { $$q } else { (@($$q.TrimEnd(';'), $$d) -ne '') -join ';' }"
!define DOCTRAY_REMOVED_FROM_PATH "($$p -split ';' | ? { ($$_ | f) -ne $$d }) -join ';'"

; What electron-builder leaves out if there is a customCheckAppRunning.
!macro customHeader
  !include "getProcessInfo.nsh"
  Var pid
!macroend

; Before files are replaced or removed. electron-builder ends the process by force, and running saves would be lost. If nothing is running,
; `quit` returns at once; otherwise it waits up to 60 s.
!macro customCheckAppRunning
  ${if} ${FileExists} "$INSTDIR\${APP_EXECUTABLE_FILENAME}"
    nsExec::Exec /TIMEOUT=70000 '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" quit --yes'
    Pop $R0
  ${endIf}
  !insertmacro IS_POWERSHELL_AVAILABLE
  !insertmacro _CHECK_APP_RUNNING
!macroend

!macro customInstall
  WriteRegStr SHELL_CONTEXT "Software\Classes\${DOCTRAY_DOCUMENT}" "" "Document"
  WriteRegStr SHELL_CONTEXT "Software\Classes\${DOCTRAY_DOCUMENT}\Application" "ApplicationName" "${PRODUCT_NAME}"
  WriteRegStr SHELL_CONTEXT "Software\Classes\${DOCTRAY_DOCUMENT}\DefaultIcon" "" "$appExe,0"
  WriteRegStr SHELL_CONTEXT "Software\Classes\${DOCTRAY_DOCUMENT}\shell\open\command" "" '"$appExe" -- "%1"'
  !insertmacro eachDocumentKind offerOpenWith

  WriteRegStr SHELL_CONTEXT "Software\Classes\doctray" "" "URL:${PRODUCT_NAME} link"
  WriteRegStr SHELL_CONTEXT "Software\Classes\doctray" "URL Protocol" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\doctray\shell\open\command" "" '"$appExe" -- "%1"'

  ; So that "doctray" works in Start and in Run.
  WriteRegStr SHELL_CONTEXT "${DOCTRAY_APP_PATH}" "" "$appExe"
  ; bin\doctray.cmd, for terminals
  !insertmacro changePath "${DOCTRAY_ADDED_TO_PATH}"
!macroend

; Before the files are removed, and after a running DocTray was closed. A silent uninstall keeps the data, an update everything.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    StrCpy $R1 "--yes"
    MessageBox MB_YESNO|MB_ICONQUESTION|MB_DEFBUTTON2 "Also delete ${PRODUCT_NAME}'s data: settings, users, earlier versions of documents and recovered saves? Your documents aren't deleted." /SD IDNO IDNO +2
    StrCpy $R1 "--delete-data --delete-recovered --yes"
    nsExec::Exec /TIMEOUT=120000 '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" uninstall $R1'
    Pop $R0
    ${if} $R0 != 0
    ${andIf} $R1 != "--yes"
      ; Not $LOCALAPPDATA, which is another folder if the program was installed for all users.
      ReadEnvStr $R0 LOCALAPPDATA
      MessageBox MB_OK|MB_ICONEXCLAMATION "Some of ${PRODUCT_NAME}'s data couldn't be deleted. Delete the folder $R0\DocTray and the ${PRODUCT_NAME} entries in Credential Manager." /SD IDOK
    ${endIf}
    ; Start at login, which the app itself sets. Also if the command failed. The same values are in app/terminal/uninstall.ts.
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "DocTray"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "DocTray"
    !insertmacro changePath "${DOCTRAY_REMOVED_FROM_PATH}"
  ${endIf}
  !insertmacro eachDocumentKind withdrawOpenWith
  DeleteRegKey SHELL_CONTEXT "Software\Classes\${DOCTRAY_DOCUMENT}"
  DeleteRegKey SHELL_CONTEXT "Software\Classes\doctray"
  DeleteRegKey SHELL_CONTEXT "${DOCTRAY_APP_PATH}"
!macroend
