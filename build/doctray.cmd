@"%~dp0..\DocTray.exe" %*
