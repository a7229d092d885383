@echo off
rem Starts Upscore on Windows by a double click: makes what it needs, serves the page to phones too, and opens it here.
setlocal
cd /d "%~dp0"
if exist .venv\ready.toml fc /b pyproject.toml .venv\ready.toml >nul 2>nul && goto start
set "python="
for %%v in (3.13 3.12 3.11 3.10) do if not defined python py -%%v -c "" >nul 2>nul && set "python=py -%%v"
if defined python goto make
python -c "import sys; sys.exit(sys.version_info < (3, 10))" >nul 2>nul && set "python=python"
if defined python goto make
echo Upscore needs Python 3.10 or newer. Get it at python.org/downloads, install it, and start this file again.
pause
exit /b 2

:make
echo Setting Upscore up. The first time takes some minutes.
%python% -m venv .venv || goto failed
.venv\Scripts\python.exe -m pip install --quiet --disable-pip-version-check --no-compile --editable . || goto failed
copy /y pyproject.toml .venv\ready.toml >nul

:start
.venv\Scripts\python.exe -m upscore serve --host 0.0.0.0 %*
if errorlevel 1 pause
exit /b

:failed
echo Upscore could not be set up: see above, check the network, and start this file again.
pause
exit /b 2
